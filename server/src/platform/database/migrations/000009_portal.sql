-- The portal's sign-in: what better-auth compiles from the options of portal/sign-in/auth-options.ts, which a test compares.
-- People, not organizations: whoever is a member of several has one of each row.

create schema portal;

create table portal.users (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp,
  two_factor_enabled boolean
);

create table portal.sessions (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  expires_at timestamptz not null,
  token text not null unique,         -- of no use without the secret: the cookie carries its signature
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null,
  ip_address text,
  user_agent text,
  user_id uuid not null references portal.users (id) on delete cascade
);
create index sessions_user_id_idx on portal.sessions (user_id);

create table portal.accounts (        -- other ways to sign in; none is offered
  id uuid primary key default pg_catalog.gen_random_uuid(),
  account_id text not null,
  provider_id text not null,
  user_id uuid not null references portal.users (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null
);
create index accounts_user_id_idx on portal.accounts (user_id);

create table portal.verifications (   -- codes under way, as keyed hashes
  id uuid primary key default pg_catalog.gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
create index verifications_identifier_idx on portal.verifications (identifier);

create table portal.two_factors (     -- encrypted with the secret
  id uuid primary key default pg_catalog.gen_random_uuid(),
  secret text not null,
  backup_codes text not null,
  user_id uuid not null references portal.users (id) on delete cascade,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
);
create index two_factors_secret_idx on portal.two_factors (secret);
create index two_factors_user_id_idx on portal.two_factors (user_id);

create table portal.passkeys (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  name text,
  public_key text not null,
  user_id uuid not null references portal.users (id) on delete cascade,
  credential_id text not null,
  counter integer not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  created_at timestamptz,
  aaguid text
);
create index passkeys_user_id_idx on portal.passkeys (user_id);
create index passkeys_credential_id_idx on portal.passkeys (credential_id);

-- Sign-in asks for a person's memberships in all organizations.
create index members_address on members (lower(email));
