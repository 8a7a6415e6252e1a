-- What the orders of an organization, or with one of its keys, may spend in a clock hour or day (UTC); and an agent
-- also in one order, for one recipient's day, and ever. No row: no cap.
create type spending_period as enum ('hour', 'day', 'order', 'recipient', 'life');

create table spending_caps (
  organization_id uuid not null references organizations,
  environment environment not null,
  -- the organization, for all its keys; or the first of the keys that replaced one another
  holder_id uuid not null,
  period spending_period not null,
  cap_cents bigint not null check (cap_cents between 1 and 9007199254740991),
  primary key (organization_id, environment, holder_id, period)
);

call protect_organizations('spending_caps');

-- What was spent in the latest window. Only orders under a cap write it, under the balance's lock.
create table spending (
  organization_id uuid not null references organizations,
  environment environment not null,
  holder text not null,               -- a cap's holder_id, or the hash of a recipient's address
  period spending_period not null,
  window_started_at timestamptz not null,
  spent_cents bigint not null,
  primary key (organization_id, environment, holder, period)
) with (fillfactor = 70);

create index spending_windows on spending (window_started_at);

call protect_organizations('spending');
