-- A row per fact, written by the statement that makes it true. The counter's row is locked until the commit, so
-- sequences have no hole and rise in the order of commits: a reader that has seen a sequence has seen every earlier
-- one.
create table event_counters (
  organization_id uuid not null references organizations,
  environment environment not null,
  last_sequence bigint not null,
  primary key (organization_id, environment)
) with (fillfactor = 50);

call protect_organizations('event_counters');

-- Ids and what changed, but no names or addresses: those can be erased. No foreign keys, because old events are
-- deleted before or after what they are about.
create table events (
  organization_id uuid not null,
  environment environment not null,
  sequence bigint not null,
  event_id uuid not null default gen_random_uuid(),
  type text not null check (type ~ '^[a-z_]+\.[a-z_]+$'),
  order_id uuid,
  gift_id uuid,
  data jsonb,                         -- the changed part, as the resource's JSON has it
  created_at timestamptz not null,
  primary key (organization_id, environment, sequence)
);

create trigger events_are_never_changed before update on events for each row execute function refuse_change();

call protect_organizations('events');

-- What each Idempotency-Key of a request other than an order did, written in the transaction of that act. Kept for 30
-- days.
create table idempotent_requests (
  organization_id uuid not null references organizations,
  environment environment not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  operation text not null,            -- method and path of the request
  fingerprint bytea not null check (length(fingerprint) = 32),
  resource_id uuid,                   -- what the act created; null if the path names it
  created_at timestamptz not null,
  primary key (organization_id, environment, idempotency_key)
);

create index idempotent_requests_created_at on idempotent_requests (created_at);

call protect_organizations('idempotent_requests');
