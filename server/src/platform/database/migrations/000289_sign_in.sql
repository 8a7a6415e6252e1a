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
  user_id uuid not null references portal.users (id) on delete cascade,
  -- When a session last proved who uses it, and whether it was proved by a second factor. Admins may be required to
  -- have one.
  proved_at timestamptz,              -- null: at the sign-in
  has_second_factor boolean           -- null: no
);

create index sessions_user_id_idx on portal.sessions (user_id);

create table portal.accounts (  -- other ways to sign in; none is offered
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

create table portal.verifications (  -- codes under way, as keyed hashes
  id uuid primary key default pg_catalog.gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);

create index verifications_identifier_idx on portal.verifications (identifier);

create table portal.two_factors (  -- encrypted with the secret
  id uuid primary key default pg_catalog.gen_random_uuid(),
  secret text not null,
  backup_codes text not null,
  user_id uuid not null references portal.users (id) on delete cascade,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz,
  -- A code of an authenticator app is good once: the thirty seconds, counted since 1970, of the latest one that was
  -- taken. It goes with the app: whoever sets one up anew has another secret and other codes.
  last_used_step integer
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

-- A person's changes of their sign-in that the audit logs of their organizations may not have yet. A row is written
-- before the change and deleted after the logs have it, which may be on other servers; so a crash in between loses no
-- event.
create table portal.changes (
  change_id uuid primary key,         -- also the id of each event
  user_id uuid not null,
  email text not null,
  change text not null,               -- audit/actions.ts
  address text not null,              -- of the client
  state_before text,                  -- of what changes; null: the change is made
  created_at timestamptz not null
);

-- Mails with sign-in codes. They are about a person, who may be in another database than organizations; until now
-- each was a notice of one of the person's organizations.
create table portal.codes (
  code_id uuid primary key,           -- the mail's identity, however often it is tried
  recipient text not null check (length(recipient) between 3 and 254),
  details jsonb not null,             -- the code, only sealed
  state notice_state not null,
  tries smallint not null default 0,
  reason text,
  provider text,
  provider_id text,
  created_at timestamptz not null,
  sent_at timestamptz,
  kind text not null default 'sign_in_code' check (kind in ('sign_in_code', 'finder_code'))
);

-- Codes belong to the browser that asked for them, and wrong ones are counted for ever, except on devices that signed
-- in before.
create table portal.flows (
  flow_hash bytea primary key,        -- SHA-256 of the browser's cookie
  email text not null,                -- in lower case; also of people who are not members
  code_hash text not null,            -- keyed
  tries smallint not null default 0,
  created_at timestamptz not null
);

create table portal.failures (  -- wrong codes of browsers that were not known
  email text primary key,             -- in lower case; also of people who are not members
  failures integer not null,
  paused_until timestamptz,           -- no unknown browser may try a code until then
  last_failed_at timestamptz not null
);

create table portal.devices (  -- browsers that signed in
  device_hash bytea not null,         -- SHA-256 of the browser's cookie
  user_id uuid not null references portal.users on delete cascade,
  failures smallint not null default 0,  -- wrong codes since the last sign-in
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);

create table portal.events (  -- the person's own log
  event_id uuid primary key,
  user_id uuid not null references portal.users on delete cascade,
  event text not null,                -- portal/sign-in/person-events.ts
  address text not null,              -- of the client
  created_at timestamptz not null
);

create index events_user_id_idx on portal.events (user_id, event_id);
