-- Codes belong to the browser that asked for them, and wrong ones are counted for ever, except on devices that signed in before.

create table portal.flows (
  flow_hash bytea primary key,        -- SHA-256 of the browser's cookie
  email text not null,                -- in lower case; also of people who are not members
  code_hash text not null,            -- keyed
  tries smallint not null default 0,
  created_at timestamptz not null
);

create table portal.failures (        -- wrong codes of browsers that were not known
  email text primary key,             -- in lower case; also of people who are not members
  failures integer not null,
  paused_until timestamptz,           -- no unknown browser may try a code until then
  last_failed_at timestamptz not null
);

create table portal.devices (         -- browsers that signed in
  device_hash bytea not null,         -- SHA-256 of the browser's cookie
  user_id uuid not null references portal.users on delete cascade,
  failures smallint not null default 0,  -- wrong codes since the last sign-in
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);
