-- Who changed what in an organization, by the portal or by the operator's command. What API keys do is in the request log.

create type audit_actor_kind as enum ('member', 'operator');

create table audit_events (
  organization_id uuid not null references organizations,
  event_id uuid not null,
  environment environment,            -- null: about the organization as a whole
  action text not null,               -- one of audit/actions.ts
  actor_kind audit_actor_kind not null,
  actor_member_id uuid,
  actor_name text not null,           -- as people read it, and as it was then
  actor_address text not null,        -- the member's IP address, the operator's host
  target text,                        -- the id of what was changed, with its prefix
  details jsonb not null,
  created_at timestamptz not null,
  primary key (organization_id, event_id),
  foreign key (organization_id, actor_member_id) references members,
  check ((actor_kind = 'member') = (actor_member_id is not null))
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end $$;

-- A trigger, because a revoked privilege does not bind the table's owner or a superuser, and the service is often either.
-- Not on Citus: it refuses to distribute a table that has a trigger (https://github.com/citusdata/citus/pull/3858). There,
-- take update, delete and truncate on this table from the service's role.
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create trigger audit_events_are_append_only before update or delete or truncate on audit_events
      for each statement execute function refuse_audit_change();
  end if;
end $$;

alter table api_keys add column created_by text;    -- as people read it; null: before this was recorded
