-- Who changed what in an organization, by the portal or by the operator's command. What API keys do is in the request
-- log.
create type audit_actor_kind as enum ('member', 'operator', 'key', 'recipient');

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end $$;

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

call protect_organizations('audit_events');

-- A trigger, because a revoked privilege does not bind the table's owner or a superuser, and the service is often either.
create trigger audit_events_are_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_audit_change();
