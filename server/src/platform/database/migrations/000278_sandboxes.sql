create table sandboxes (
  organization_id uuid primary key references organizations,
  created_at timestamptz not null
);

call protect_organizations('sandboxes');

-- Idempotency keys of the sandbox whose first try was answered 429 on purpose (sandbox/steering.ts, `rate-limited`).
-- Such an answer leaves no order that could remember it, and the next try may reach another process. Forgotten after
-- an hour.
create table steered_tries (
  organization_id uuid not null references organizations,
  idempotency_key text not null,
  tried_at timestamptz not null,
  primary key (organization_id, idempotency_key)
);

create index steered_tries_tried_at on steered_tries (tried_at);

call protect_organizations('steered_tries');
