create table api_keys (
  organization_id uuid not null references organizations,
  key_id uuid not null,
  environment environment not null,
  name text not null check (length(name) between 1 and 200),
  hash bytea not null check (length(hash) = 32),  -- SHA-256 of the whole key
  hint text not null,                 -- prefix and last four, for people
  created_at timestamptz not null,
  last_used_at timestamptz,           -- to the minute
  revoked_at timestamptz,
  created_by text,                    -- as people read it; null: before this was recorded
  -- Optional limits of a key.
  expires_at timestamptz,             -- from then on the key is answered like a revoked one
  networks cidr[] check (cardinality(networks) between 1 and 20),  -- elsewhere it is answered like an unknown one
  first_key_id uuid,                  -- the first of the keys that replaced one another; null: this one
  -- Null in all that no agent made, so that those rows grow by nothing.
  grant_id uuid,
  primary key (organization_id, key_id),
  unique (organization_id, hash),
  foreign key (organization_id, grant_id) references agent_grants (organization_id, grant_id)
);

create index api_keys_hash on api_keys (hash);

call protect_organizations('api_keys');

-- Keys name their organization. `sk_` keys, which were imported, do not: here their hash finds it. No foreign key: with
-- several database servers this table is the same on each, an organization is on one.
create table earlier_keys (
  hash bytea primary key check (length(hash) = 32),
  organization_id uuid not null,
  environment environment not null
);
