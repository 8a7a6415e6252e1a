-- Gifts that members ask for, and orders of agents above an amount, until an admin decides. A request is not an order: it
-- moves and reserves nothing. Of an agent, `gift` is the whole order, `order_key` the preview's token, and `address` null.
create table gift_requests (
  organization_id uuid not null references organizations,
  environment environment not null,
  request_id uuid not null,
  form_id uuid,                       -- one form makes one request
  order_key text not null,            -- idempotency key of its order
  member_id uuid,                     -- who asked
  amount_cents integer not null,
  category_id text,
  gift jsonb,                         -- as in an order; kept until the decision
  address text,                       -- as gifts have it; null for a link
  state text not null check (state in ('open', 'approving', 'approved', 'declined', 'withdrawn', 'expired')),
  claim_id uuid,                      -- of the approval under way; its time is in it
  decided_by uuid,                    -- null if time or an erasure decided
  decided_at timestamptz,
  reason text,
  order_id uuid,
  created_at timestamptz not null,
  grant_id uuid,
  primary key (organization_id, environment, request_id),
  unique (organization_id, environment, form_id),
  check ((state = 'approving') = (claim_id is not null)),
  check ((state = 'approved') = (order_id is not null)),
  check ((state in ('open', 'approving')) = (gift is not null)),
  check ((state in ('open', 'approving')) = (decided_at is null)),
  check (address is null or gift is not null),
  foreign key (organization_id, grant_id) references agent_grants (organization_id, grant_id),
  check ((grant_id is null) = (member_id is not null)),
  check ((grant_id is null) = (form_id is not null)),
  check ((grant_id is null) = (category_id is not null)),
  check (grant_id is null or address is null)
) with (fillfactor = 70);

-- What is not decided: counted for each member, and looked through by the clean-up and by erasures.
create index gift_requests_open on gift_requests (organization_id, environment, member_id, request_id)
  where state in ('open', 'approving');
create index gift_requests_addresses_folded on gift_requests
  (organization_id, lower(address collate "C")) where address is not null;
-- One token of a preview makes one request.
create unique index gift_requests_of_agents on gift_requests (organization_id, environment, order_key)
  where grant_id is not null;

call protect_organizations('gift_requests');
