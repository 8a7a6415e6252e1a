-- What an issuer told of a card, each fact once: the sums of a card follow from its facts, in whatever order they came.
create table card_facts (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  fact_id text not null,            -- the issuer's, or `decision:` and the issuer's id of the question
  kind text not null check (kind in ('approved', 'declined', 'hold', 'hold_changed', 'released', 'captured', 'refunded',
    'disputed', 'closed')),
  subject_id text,                  -- the issuer's id of the hold or the dispute
  amount_cents integer check (amount_cents >= 0),
  merchant text,
  is_final boolean,                 -- of a capture: the rest of its hold is released
  outcome text check (outcome in ('open', 'won', 'lost')),
  at timestamptz not null,
  received_at timestamptz not null,
  primary key (organization_id, environment, gift_id, fact_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade
);
create trigger card_facts_are_never_changed before update on card_facts
  for each row execute function refuse_change();
create trigger live_facts_are_never_deleted before delete on card_facts
  for each row when (old.environment = 'live') execute function refuse_change();

alter table cards add column held_cents bigint not null default 0;
alter table cards add column captured_cents bigint not null default 0;
alter table cards add column refunded_cents bigint not null default 0;
-- Captured beyond the gift's value, because the network forced it.
alter table cards add column overspent_cents bigint not null default 0;

-- Verified webhook events of issuers, until their facts are recorded and 30 days longer.
create table issuer_events (
  organization_id uuid not null references organizations,
  issuer_id uuid not null,
  event_id text not null check (length(event_id) between 1 and 200),
  body text not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (organization_id, issuer_id, event_id),
  foreign key (organization_id, issuer_id) references issuers
);
create index issuer_events_received_at on issuer_events (received_at);

alter table issuers add column reconcile_at timestamptz not null default now();
alter table issuers add column reconciled_at timestamptz;  -- facts since before it are recorded

do $$
declare
  tenant text;
begin
  foreach tenant in array array['card_facts', 'issuer_events'] loop
    execute format(
      $policy$create policy organizations on %I using (
        (select current_setting('app.organization_id', true)) = '*'
        or organization_id = any (
          (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
      )$policy$, tenant);
  end loop;
end $$;
