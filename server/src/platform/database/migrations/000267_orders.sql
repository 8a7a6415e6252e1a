create table orders (
  organization_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  idempotency_key text not null collate "C" check (length(idempotency_key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  amount_cents integer not null check (amount_cents between 1000 and 500000),
  key_id uuid,
  member_id uuid not null,            -- whom the order is attributed to
  created_at timestamptz not null,
  completes_at timestamptz,           -- while processing: when the rest of the gifts is made
  pending_gifts jsonb,                -- while processing: the rows of gifts not made yet
  -- The caller's own name and data of an order or gift. Null for those that have neither, so that they cost nothing.
  external_id text,
  metadata jsonb,
  grant_id uuid,
  primary key (organization_id, environment, order_id),
  unique (organization_id, environment, idempotency_key),
  foreign key (organization_id, key_id) references api_keys,
  foreign key (organization_id, member_id) references members,
  check ((completes_at is null) = (pending_gifts is null))
);

-- Orders that are still processing, for the metrics: a handful among millions.
create index orders_processing on orders (completes_at) where completes_at is not null;
-- One order of an organization and environment has an external id.
create unique index orders_external_id on orders (organization_id, environment, external_id)
  where external_id is not null;
-- What an agent ordered.
create index orders_by_grant on orders (organization_id, environment, grant_id, order_id)
  where grant_id is not null;

create trigger orders_keep_what_was_ordered
  before update of organization_id, environment, order_id, idempotency_key, amount_cents, key_id, member_id, created_at
  on orders for each row execute function refuse_change();
create trigger live_orders_are_never_deleted before delete on orders
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger orders_are_never_emptied before truncate on orders for each statement execute function refuse_change();
create trigger orders_keep_their_grant before update of grant_id on orders for each row execute function refuse_change();

call protect_organizations('orders');
