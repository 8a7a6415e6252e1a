-- People who run the service and may open its operator's page. Without one the page does not exist.
create table portal.operators (
  operator_id uuid primary key,
  email text not null check (length(email) between 3 and 254),  -- in lower case
  added_by text not null,             -- who ran the command
  created_at timestamptz not null,
  removed_at timestamptz
);

create unique index operators_by_email on portal.operators (email) where removed_at is null;

-- Each lasts an hour at most, and ends with its operator and with the person's sign-in, if that is reset.
create table portal.operator_sessions (
  token_hash bytea primary key,       -- SHA-256 of the browser's cookie
  operator_id uuid not null references portal.operators,
  user_id uuid not null references portal.users on delete cascade,
  address text not null,              -- of the client
  proved_at timestamptz not null,     -- when a second factor proved who uses it
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index operator_sessions_user_id_idx on portal.operator_sessions (user_id);
create index operator_sessions_operator_id_idx on portal.operator_sessions (operator_id);

-- What operators looked at and did. Only the operator sees it; what changes an organization is in its own log too.
create table portal.operator_events (
  event_id uuid primary key,
  operator text not null,             -- an email address, or the user who ran a command
  action text not null,               -- the operation of the page, or of the command
  details jsonb not null,
  reason text,
  address text not null,              -- of the client or the host
  created_at timestamptz not null
);

create trigger operator_events_are_never_changed before update or delete on portal.operator_events
  for each row execute function refuse_change();
create trigger operator_events_are_never_emptied before truncate on portal.operator_events
  for each statement execute function refuse_change();

-- What the operator's bank held on a day, as someone entered it, to be compared with what is owed to organizations.
create table portal.bank_balances (
  bank_balance_id uuid primary key,   -- of several for a day the latest counts
  as_of date not null,
  amount_cents bigint not null check (amount_cents between -9007199254740991 and 9007199254740991),
  entered_by text not null,
  created_at timestamptz not null
);

create index bank_balances_by_day on portal.bank_balances (as_of, bank_balance_id);
create index operator_events_by_action on portal.operator_events (action, event_id);
