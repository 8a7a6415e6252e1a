-- What an agent may do (docs/agents.md). Its tokens are rows of api_keys; its limits are rows of spending_caps.
create table agent_grants (
  organization_id uuid not null references organizations,
  grant_id uuid not null,
  environment environment not null,
  name text not null check (length(name) between 1 and 200),
  member_id uuid,                   -- the admin who made it, with whom it ends; null: the operator
  created_by text not null,
  created_at timestamptz not null,
  permissions text[] not null check (permissions <@ array['links', 'order', 'manage', 'events']),  -- besides reading
  reaches_all boolean not null,     -- false: only what it ordered
  recipient_domains text[] check (cardinality(recipient_domains) between 1 and 100),
  members_only boolean not null,
  categories text[] check (cardinality(categories) between 1 and 100),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, grant_id),
  foreign key (organization_id, member_id) references members (organization_id, member_id)
);

create policy organizations on agent_grants using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

-- Null in all that no agent made, so that those rows grow by nothing.
alter table api_keys add column grant_id uuid,
  add foreign key (organization_id, grant_id) references agent_grants (organization_id, grant_id);
alter table orders add column grant_id uuid;
alter table gifts add column grant_id uuid;
create trigger orders_keep_their_grant before update of grant_id on orders for each row execute function refuse_change();
create trigger gifts_keep_their_grant before update of grant_id on gifts for each row execute function refuse_change();

-- Caps on an order, on one recipient's day, and on all that a grant ever orders.
alter type spending_period add value if not exists 'order';
alter type spending_period add value if not exists 'recipient';
alter type spending_period add value if not exists 'life';

alter table gifts alter column grant_id set statistics 10;  -- see 000013
alter table orders alter column grant_id set statistics 10;
