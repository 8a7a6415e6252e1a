-- A row per fact, written by the statement that makes it true. The counter's row is locked until the commit, so sequences
-- have no hole and rise in the order of commits: a reader that has seen a sequence has seen every earlier one. Until the
-- previous release is stopped, its changes write no events.
create table event_counters (
  organization_id uuid not null references organizations,
  environment environment not null,
  last_sequence bigint not null,
  primary key (organization_id, environment)
) with (fillfactor = 50);

-- Ids and what changed, but no names or addresses: those can be erased. No foreign keys, because old events are deleted
-- before or after what they are about.
create table events (
  organization_id uuid not null,
  environment environment not null,
  sequence bigint not null,
  event_id uuid not null default gen_random_uuid(),
  type text not null check (type ~ '^[a-z_]+\.[a-z_]+$'),
  order_id uuid,
  gift_id uuid,
  data jsonb,                         -- the changed part, as the resource's JSON has it
  created_at timestamptz not null,
  primary key (organization_id, environment, sequence)
);
create trigger events_are_never_changed before update on events for each row execute function refuse_change();

do $$
declare
  tenant text;
begin
  foreach tenant in array array['event_counters', 'events'] loop
    execute format(
      $policy$create policy organizations on %I using (
        (select current_setting('app.organization_id', true)) = '*'
        or organization_id = any (
          (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
      )$policy$, tenant);
  end loop;
end $$;
