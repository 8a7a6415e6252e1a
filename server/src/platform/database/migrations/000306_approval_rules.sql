-- Which orders of members wait for an approval.
create table approval_rules (
  organization_id uuid not null references organizations,
  holder_id uuid not null,            -- the organization, or a member whose rule takes its place
  above_cents bigint not null check (above_cents between 0 and 9007199254740991),
  approvals smallint not null check (approvals between 1 and 2),
  approver_ids uuid[] not null check (cardinality(approver_ids) <= 20),  -- empty: all members whose roles allow it
  primary key (organization_id, holder_id)
);

call protect_organizations('approval_rules');

-- Who sends a batch, also if another member resumes it; and when they asked for it, after which its rows stay as they are.
alter table batches
  add column sender_member_id uuid,
  add column asked_at timestamptz;

-- Who approved a request.
create table gift_request_approvals (
  organization_id uuid not null references organizations,
  environment environment not null,
  request_id uuid not null,
  member_id uuid not null,
  approved_at timestamptz not null,
  primary key (organization_id, environment, request_id, member_id)
);

call protect_organizations('gift_request_approvals');

-- A member asks for a gift, or for an order or a batch that a rule holds back. An order's gifts are in `gift`; of a batch it
-- is null. Constraints are found by what they say, because their names depend on the way to this schema.
do $$
declare old text;
begin
  for old in
    select conname from pg_constraint
    where conrelid = 'gift_requests'::regclass and contype = 'c' and (
      pg_get_constraintdef(oid) like '%category_id IS NOT NULL%'
      or pg_get_constraintdef(oid) like '%order_id IS NOT NULL%'
      or pg_get_constraintdef(oid) like '%(gift IS NOT NULL))%' and pg_get_constraintdef(oid) like '%state%'
    )
  loop
    execute format('alter table gift_requests drop constraint %I', old);
  end loop;
end $$;

alter table gift_requests
  add column batch_id uuid,
  add constraint gift_requests_category check (grant_id is null or category_id is null),
  add constraint gift_requests_order check (batch_id is not null or (state = 'approved') = (order_id is not null)),
  add constraint gift_requests_gift check ((batch_id is null and state in ('open', 'approving')) = (gift is not null)),
  add constraint gift_requests_batch check (batch_id is null or grant_id is null and order_id is null);
