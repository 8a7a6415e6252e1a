-- Members begin when the invited person accepts; until then they are deactivated. What happens to a person's sign-in belongs
-- to the person.

alter table members add column invitation text
  check (invitation in ('pending', 'ended'));  -- null: accepted, or added by the operator; ended: declined or withdrawn

create table portal.events (          -- the person's own log
  event_id uuid primary key,
  user_id uuid not null references portal.users on delete cascade,
  event text not null,                -- portal/sign-in/person-events.ts
  address text not null,              -- of the client
  created_at timestamptz not null
);
create index events_user_id_idx on portal.events (user_id, event_id);

-- Changes of balances that wait for a second person.
create table approvals (
  organization_id uuid not null references organizations,
  approval_id uuid not null,
  environment environment not null,
  kind ledger_entry_kind not null,
  amount_cents bigint not null check (amount_cents <> 0),
  reference text check (length(reference) between 1 and 200),
  note text check (length(note) between 1 and 1000),
  state text not null check (state in ('waiting', 'approved', 'declined')),
  requested_by text not null,
  created_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  entry_id uuid,                      -- of the ledger, once approved
  primary key (organization_id, approval_id)
);
create unique index approvals_reference on approvals (organization_id, environment, reference) where state <> 'declined';
create index approvals_waiting on approvals (organization_id, approval_id) where state = 'waiting';

alter type audit_actor_kind add value 'key';
