-- What gives the rows their meaning: the currency, and fingerprints of the secrets. Written by the first start.
create table installation (
  name text primary key,
  value text[] not null,
  kept_at timestamptz not null default now()
);
