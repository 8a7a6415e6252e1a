-- A restore of the database to an earlier time undid what came after it, but others know of it. From then on an organization's
-- feed and ledger have other numbers and names, so that nothing is given out twice.
create table restores (
  organization_id uuid not null references organizations,
  environment environment not null,
  restored_to timestamptz not null,
  finished_at timestamptz not null,
  last_sequence bigint not null,      -- of the feed, as it was restored
  next_after bigint not null,         -- the feed goes on after it
  ledger_rows bigint not null,        -- sealed, as they were restored
  ledger_id uuid not null,            -- ends the name of the ledger from then on; later entries have ids above it
  primary key (organization_id, environment, finished_at),
  unique (organization_id, environment, restored_to),
  check (next_after > last_sequence and finished_at >= restored_to)
);

create trigger restores_are_never_changed before update or delete on restores
  for each row execute function refuse_change();
create trigger restores_are_never_emptied before truncate on restores
  for each statement execute function refuse_change();

create policy organizations on restores using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

-- A code that may have been handed out after the time of a restore waits until the operator releases it.
alter table shop_codes add column set_aside_at timestamptz;
