-- What the orders of an organization, or with one of its keys, may spend in a clock hour or day (UTC). No row: no cap. Until
-- the previous release is stopped, it neither checks nor counts.
create type spending_period as enum ('hour', 'day');

create table spending_caps (
  organization_id uuid not null references organizations,
  environment environment not null,
  holder_id uuid not null,            -- the organization, for all its keys; or the first of the keys that replaced one another
  period spending_period not null,
  cap_cents bigint not null check (cap_cents between 1 and 9007199254740991),
  primary key (organization_id, environment, holder_id, period)
);

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

-- Read under the balance's lock: an order that a cap holds for can tell whether its snapshot is still true.
alter table balances add column is_capped boolean not null default false;

alter type notice_kind add value 'cap_raised';
