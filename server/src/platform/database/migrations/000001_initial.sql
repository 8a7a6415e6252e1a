-- Every row about an organization begins its primary key with organization_id, and every unique constraint and foreign
-- key carries it, so that the tables can be distributed by it (docs: a sharded PostgreSQL such as Citus).
-- Ids are UUIDv7s that the application makes; times are the application's too.

create type environment as enum ('live', 'sandbox');
create type member_role as enum ('admin', 'member');
create type delivery_method as enum ('email', 'phone', 'link');
create type delivery_state as enum ('pending', 'delivered', 'failed');
create type ledger_entry_kind as enum ('funding', 'adjustment', 'order');

create table categories (
  category_id text primary key check (category_id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (length(name) between 1 and 200),
  description text not null check (length(description) between 1 and 1000),
  artwork text,                       -- an absolute URL, or a path of this service
  product_details_url text,           -- null: this service's own page
  position integer not null,
  created_at timestamptz not null,
  retired_at timestamptz              -- no longer sold; gifts of it stay
);

create table organizations (
  organization_id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  billing_contact_member_id uuid,
  created_at timestamptz not null,
  suspended_at timestamptz
);

create table members (
  organization_id uuid not null references organizations,
  member_id uuid not null,
  email text not null check (length(email) between 3 and 254),
  role member_role not null,
  created_at timestamptz not null,
  deactivated_at timestamptz,
  primary key (organization_id, member_id)
);
create unique index members_email on members (organization_id, lower(email));

alter table organizations add foreign key (organization_id, billing_contact_member_id) references members;

create table sandboxes (
  organization_id uuid primary key references organizations,
  created_at timestamptz not null
);

create table api_keys (
  organization_id uuid not null references organizations,
  key_id uuid not null,
  environment environment not null,
  name text not null check (length(name) between 1 and 200),
  hash bytea not null check (length(hash) = 32),    -- SHA-256 of the whole key
  hint text not null,                               -- prefix and last four, for people
  created_at timestamptz not null,
  last_used_at timestamptz,                         -- to the minute
  revoked_at timestamptz,
  primary key (organization_id, key_id),
  unique (organization_id, hash)
);
create index api_keys_hash on api_keys (hash);

-- The fill factor leaves room for the next versions of a row in its own page (HOT updates).
create table balances (
  organization_id uuid not null references organizations,
  environment environment not null,
  balance_cents bigint not null check (balance_cents between 0 and 9007199254740991),
  last_id uuid not null,              -- the greatest id of an order placed so far: the next one's are greater
  primary key (organization_id, environment)
) with (fillfactor = 50);

create table orders (
  organization_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  idempotency_key text not null collate "C" check (length(idempotency_key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  amount_cents integer not null check (amount_cents between 1000 and 500000),
  key_id uuid not null,
  member_id uuid not null,            -- whom the order is attributed to
  created_at timestamptz not null,
  completes_at timestamptz,           -- while processing: when the rest of the gifts is made
  pending_gifts jsonb,                -- while processing: the rows of gifts not made yet
  primary key (organization_id, environment, order_id),
  unique (organization_id, environment, idempotency_key),
  foreign key (organization_id, key_id) references api_keys,
  foreign key (organization_id, member_id) references members,
  check ((completes_at is null) = (pending_gifts is null))
);

-- Append-only: there is no statement that updates an entry, and only a sandbox reset deletes any.
create table ledger_entries (
  organization_id uuid not null references organizations,
  environment environment not null,
  entry_id uuid not null,
  kind ledger_entry_kind not null,
  amount_cents bigint not null,       -- negative: taken from the balance
  balance_after_cents bigint not null check (balance_after_cents >= 0),
  order_id uuid,
  reference text check (length(reference) between 1 and 200),
  note text check (length(note) between 1 and 1000),
  created_at timestamptz not null,
  primary key (organization_id, environment, entry_id),
  unique (organization_id, environment, order_id),
  unique (organization_id, environment, reference),
  foreign key (organization_id, environment, order_id) references orders,
  check (case kind
    when 'funding' then amount_cents > 0 and order_id is null
    when 'adjustment' then amount_cents <> 0 and order_id is null and note is not null
    else amount_cents < 0 and order_id is not null end)
);

create table gifts (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  order_id uuid not null,
  position smallint not null check (position between 0 and 9),
  amount_cents integer not null check (amount_cents between 1000 and 50000),
  category_id text not null references categories,
  method delivery_method not null,
  address text,                       -- email or E.164 number
  delivery_state delivery_state,      -- of the latest delivery; null: a link is not delivered by the service
  redirect_count smallint not null default 0,
  recipient_name text,
  sender_name text not null,
  link_version smallint not null default 1,
  link_expires_at timestamptz not null,
  created_at timestamptz not null,    -- the order's
  opened_at timestamptz,
  claimed_at timestamptz,
  card_id uuid,                       -- what it was claimed onto
  spent_cents integer not null default 0,
  primary key (organization_id, environment, gift_id),
  unique (organization_id, environment, order_id, position),
  foreign key (organization_id, environment, order_id) references orders,
  check ((method = 'link') = (address is null) and (method = 'link') = (delivery_state is null)),
  check ((claimed_at is null) = (card_id is null)),
  check (claimed_at is null or opened_at is not null),
  check (spent_cents between 0 and case when claimed_at is null then 0 else amount_cents end)
) with (fillfactor = 90);
