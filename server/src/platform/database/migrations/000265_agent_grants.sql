-- What an agent may do (docs/agents.md). Its tokens are rows of api_keys; its limits are rows of spending_caps.
create table agent_grants (
  organization_id uuid not null references organizations,
  grant_id uuid not null,
  environment environment not null,
  name text not null check (length(name) between 1 and 200),
  member_id uuid,                     -- the admin who made it, with whom it ends; null: the operator
  created_by text not null,
  created_at timestamptz not null,
  permissions text[] not null check (permissions <@ array['links', 'order', 'manage', 'events']),  -- besides reading
  reaches_all boolean not null,       -- false: only what it ordered
  recipient_domains text[] check (cardinality(recipient_domains) between 1 and 100),
  members_only boolean not null,
  categories text[] check (cardinality(categories) between 1 and 100),
  expires_at timestamptz,
  revoked_at timestamptz,
  client_id text,                     -- of an assistant that a member signed in; null: its token was copied
  client_name text,                   -- as the assistant says; no one has checked it
  -- Orders above it wait for a person, as requests beside those of members.
  ask_above_cents bigint check (ask_above_cents >= 0),  -- null: it never asks
  primary key (organization_id, grant_id),
  foreign key (organization_id, member_id) references members (organization_id, member_id)
);

call protect_organizations('agent_grants');
