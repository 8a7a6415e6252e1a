-- What the protocol remembers between two requests. No secret is stored, only its hash.
create table portal.oauth_records (
  kind text not null,                 -- the library's name: Client, Interaction, AuthorizationCode, RefreshToken, Grant
  id_hash bytea not null,             -- SHA-256 of the id, which for codes and tokens is the secret
  grant_id text,                      -- the library's grant, of codes and refresh tokens
  payload jsonb not null,
  consumed_at timestamptz,            -- codes and refresh tokens work once
  expires_at timestamptz not null,
  primary key (kind, id_hash)
);

create index oauth_records_by_grant on portal.oauth_records (grant_id) where grant_id is not null;
create index oauth_records_by_end on portal.oauth_records (expires_at);

-- Answers to a refresh, so that a client whose answer was lost gets the same one again.
create table portal.oauth_refreshes (
  token_hash bytea primary key,       -- SHA-256 of the refresh token that was used up
  answer text,                        -- encrypted with a key that only the used token gives; null: under way
  expires_at timestamptz not null
);
