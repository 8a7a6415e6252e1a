-- A database of commit 3f6a82d or later goes on as one that began with the initial schema, which follows this file in order.
-- Forms that no release had must be gone: keys that do not name their organization, and seals whose head is no root.
do $$
begin
  if exists (select from api_keys where not names_organization and hint not like 'sk_%' and revoked_at is null) then
    raise exception 'An active key has the form of before 1.0.0. Roll it with the earlier version, and revoke it.';
  end if;
  if exists (select from seals where version = 1) then
    raise exception 'A chain has seals of version 1, which no release made. Its database cannot go on.';
  end if;
end $$;
drop function record_earlier_key cascade;
alter table api_keys drop column names_organization;
comment on column seals.head is null;
alter table seals drop column version;

-- The indexes are those that no statement can use; portal.finder_flows has replaced portal.finder_codes.
drop index gifts_by_recipient, batch_rows_addresses, gift_requests_addresses, members_address, members_email;
drop table portal.finder_codes;

-- As the initial schema has it.
create procedure protect_organizations(tenant regclass) language plpgsql as $$
begin
  execute format(
    $policy$create policy organizations on %s using (
      (select current_setting('app.organization_id', true)) = '*'
      or organization_id = any (
        (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
    )$policy$, tenant);
end $$;

insert into schema_migrations (name) values
  ('000262_platform.sql'),
  ('000263_catalog.sql'),
  ('000264_organizations.sql'),
  ('000265_agent_grants.sql'),
  ('000266_keys.sql'),
  ('000267_orders.sql'),
  ('000268_gifts.sql'),
  ('000269_metadata.sql'),
  ('000270_balances.sql'),
  ('000271_caps.sql'),
  ('000272_deliveries.sql'),
  ('000273_issuers.sql'),
  ('000274_cards.sql'),
  ('000275_events.sql'),
  ('000276_audit.sql'),
  ('000277_seals.sql'),
  ('000278_sandboxes.sql'),
  ('000279_notices.sql'),
  ('000280_request_log.sql'),
  ('000281_webhooks.sql'),
  ('000282_gift_batches.sql'),
  ('000283_gift_requests.sql'),
  ('000284_gift_views.sql'),
  ('000285_brands.sql'),
  ('000286_reminders.sql'),
  ('000287_topups.sql'),
  ('000288_restores.sql'),
  ('000289_sign_in.sql'),
  ('000290_finder.sql'),
  ('000291_oauth.sql'),
  ('000292_providers.sql');
