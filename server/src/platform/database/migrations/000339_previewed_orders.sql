-- Orders that agents previewed, so that the token alone places one. Not bought yet; a bought order is found by its token.
create table previewed_orders (
  organization_id uuid not null references organizations,
  environment environment not null,
  token text not null,                -- idempotency key of its order
  first_key_id uuid not null,         -- first key of those that replaced one another
  purchase jsonb not null,            -- the order as it was sent
  expires_at timestamptz not null,
  primary key (organization_id, environment, token)
);

create index previewed_orders_expires_at on previewed_orders (expires_at);

call protect_organizations('previewed_orders');
