-- A person's changes of their sign-in that the audit logs of their organizations may not have yet. A row is written before
-- the change and deleted after the logs have it, which may be on other servers; so a crash in between loses no event.

create table portal.changes (
  change_id uuid primary key,         -- also the id of each event
  user_id uuid not null,
  email text not null,
  change text not null,               -- audit/actions.ts
  address text not null,              -- of the client
  state_before text,                  -- of what changes; null: the change is made
  created_at timestamptz not null
);
