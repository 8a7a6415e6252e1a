-- Where events are pushed. `cursor_sequence`: every event up to it has a delivery or another type. A process that
-- pushes holds the lease; a lease that ran out is free.
create table webhook_endpoints (
  organization_id uuid not null references organizations,
  environment environment not null,
  endpoint_id uuid not null,
  url text not null check (length(url) between 1 and 2000),
  description text check (length(description) between 1 and 200),
  types text[],                       -- null: all
  is_ordered boolean not null,
  secret text not null,               -- encrypted, as is the previous one
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  cursor_sequence bigint not null,
  last_matched bigint,                -- the last sequence of the chosen types up to the cursor
  failing_since timestamptz,          -- null: the last push was accepted
  failures integer not null default 0,  -- one after another
  probe_at timestamptz,               -- null: new events are pushed; otherwise one, from then on
  notices smallint not null default 0,  -- mails about the failures
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'requested')),
  lease_id uuid,
  leased_until timestamptz,
  -- Until when the receiver asked for no pushes (Retry-After).
  paused_until timestamptz,
  -- Secrets before the previous one that sign pushes until their times, the newest first; encrypted.
  earlier_secrets text[] not null default '{}',
  earlier_secrets_until timestamptz[] not null default '{}',
  primary key (organization_id, environment, endpoint_id),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoints_earlier_secrets_check
    check (cardinality(earlier_secrets) = cardinality(earlier_secrets_until) and cardinality(earlier_secrets) <= 3)
) with (fillfactor = 50);

call protect_organizations('webhook_endpoints');

-- Only of events that were attempted at least once.
create table webhook_deliveries (
  organization_id uuid not null,
  environment environment not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  event_id uuid not null,
  type text not null,
  previous_sequence bigint,           -- the one pushed to this endpoint before
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts smallint not null,         -- since the last resend
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, environment, endpoint_id, sequence),
  check ((state = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 70);

create index webhook_deliveries_events on webhook_deliveries (organization_id, environment, endpoint_id, event_id);
create index webhook_deliveries_due on webhook_deliveries (organization_id, environment, endpoint_id, next_attempt_at)
  where state = 'pending';
create index webhook_deliveries_pending on webhook_deliveries (organization_id, environment, endpoint_id, sequence)
  where state = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (organization_id, environment, endpoint_id, sequence)
  where state = 'failed';
create index webhook_deliveries_updated on webhook_deliveries (updated_at) where state <> 'pending';

call protect_organizations('webhook_deliveries');

-- Kept for 30 days.
create table webhook_attempts (
  organization_id uuid not null,
  environment environment not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  status smallint,                    -- null: no answer
  error text,                         -- why there was none, or why the answer was not accepted
  body text                           -- the first kilobyte
);
-- It has no key, and a copy to shards needs to name its rows.
alter table webhook_attempts replica identity full;

create index webhook_attempts_deliveries on webhook_attempts
  (organization_id, environment, endpoint_id, sequence, attempted_at);
create index webhook_attempts_attempted_at on webhook_attempts using brin (attempted_at);

call protect_organizations('webhook_attempts');
