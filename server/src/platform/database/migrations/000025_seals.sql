-- A seal fixes rows of an organization's audit log or of one of its ledgers, in the order in which they were sealed. Each
-- seal continues the hash of the one before (seals/canonical.ts). Rows are sealed soon after their commit, those of earlier
-- releases too.
create type seal_chain as enum ('audit', 'live', 'sandbox');

create table seals (
  organization_id uuid not null references organizations,
  chain seal_chain not null,          -- the audit log, or the ledger of an environment
  number integer not null check (number >= 1),
  row_ids uuid[] not null,
  leaves bytea not null,              -- 32 bytes for each row
  last_id uuid not null,              -- the last of the rows
  rows bigint not null,               -- in the chain, up to and including this seal
  head bytea not null check (length(head) = 32),
  sealed_at timestamptz not null,
  primary key (organization_id, chain, number),
  check (cardinality(row_ids) >= 1 and length(leaves) = 32 * cardinality(row_ids))
);
-- Hashes and ids cannot be compressed.
alter table seals alter column leaves set storage external, alter column row_ids set storage external;

-- Events commit in another order than that of their ids, so those without a seal are listed.
create table unsealed_events (
  organization_id uuid not null,
  event_id uuid not null,
  primary key (organization_id, event_id)
);

create function list_unsealed_event() returns trigger language plpgsql as $$
begin
  insert into unsealed_events (organization_id, event_id) values (new.organization_id, new.event_id);
  return null;
end $$;

create trigger audit_events_are_sealed after insert on audit_events
  for each row execute function list_unsealed_event();

insert into unsealed_events (organization_id, event_id) select organization_id, event_id from audit_events;
