-- Gifts that members ask for and admins approve. A request is not an order: it moves and reserves nothing.
alter type notice_kind add value 'gift_requested';
alter type notice_kind add value 'gift_request_decided';
alter table organizations add column members_may_request boolean not null default false;

create table gift_requests (
  organization_id uuid not null references organizations,
  environment environment not null,
  request_id uuid not null,
  form_id uuid not null,               -- one form makes one request
  order_key text not null,             -- idempotency key of its order
  member_id uuid not null,             -- who asked
  amount_cents integer not null,
  category_id text not null,
  gift jsonb,                          -- as in an order; kept until the decision
  address text,                        -- as gifts have it; null for a link
  state text not null check (state in ('open', 'approving', 'approved', 'declined', 'withdrawn', 'expired')),
  claim_id uuid,                       -- of the approval under way; its time is in it
  decided_by uuid,                     -- null if time or an erasure decided
  decided_at timestamptz,
  reason text,
  order_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, environment, request_id),
  unique (organization_id, environment, form_id),
  check ((state = 'approving') = (claim_id is not null)),
  check ((state = 'approved') = (order_id is not null)),
  check ((state in ('open', 'approving')) = (gift is not null)),
  check ((state in ('open', 'approving')) = (decided_at is null)),
  check (address is null or gift is not null)
) with (fillfactor = 70);
-- What is not decided: counted for each member, and looked through by the clean-up and by erasures.
create index gift_requests_open on gift_requests (organization_id, environment, member_id, request_id)
  where state in ('open', 'approving');
create index gift_requests_addresses on gift_requests (organization_id, lower(address)) where address is not null;

create policy organizations on gift_requests using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);
