-- Orders of agents above an amount wait for a person, as requests beside those of members (docs/agents.md).
alter table agent_grants add column ask_above_cents bigint check (ask_above_cents >= 0);  -- null: it never asks

-- Of an agent, `gift` is the whole order, `order_key` the preview's token, and `address` null. The release before declines
-- and expires such a request, and cannot approve it.
alter table gift_requests
  add column grant_id uuid,
  alter column form_id drop not null,
  alter column member_id drop not null,
  alter column category_id drop not null,
  add foreign key (organization_id, grant_id) references agent_grants (organization_id, grant_id),
  add check ((grant_id is null) = (member_id is not null)),
  add check ((grant_id is null) = (form_id is not null)),
  add check ((grant_id is null) = (category_id is not null)),
  add check (grant_id is null or address is null);
