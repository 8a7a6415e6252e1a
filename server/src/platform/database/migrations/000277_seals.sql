-- A seal fixes rows of an organization's audit log or of one of its ledgers, in the order in which they were sealed.
-- The leaves of a chain's seals are those of a Merkle tree after RFC 6962, whose root is the head of the latest seal
-- (seals/canonical.ts). Rows are sealed soon after their commit.
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
alter table seals alter column leaves set storage external;
alter table seals alter column row_ids set storage external;

-- Finds the seal of a leaf, and the seal of an entry.
create unique index seals_rows on seals (organization_id, chain, rows);
create index seals_last_id on seals (organization_id, chain, last_id);

create trigger seals_are_never_changed before update on seals
  for each row execute function refuse_change();
create trigger live_seals_are_never_deleted before delete on seals
  for each row when (old.chain <> 'sandbox') execute function refuse_change();
create trigger seals_are_never_emptied before truncate on seals for each statement execute function refuse_change();

call protect_organizations('seals');

-- Roots of complete subtrees, so that proofs need few leaves: `number` counts subtrees of the height from the left.
create table seal_nodes (
  organization_id uuid not null references organizations,
  chain seal_chain not null,
  height smallint not null check (height in (8, 16, 24, 32)),
  number bigint not null check (number >= 0),
  hash bytea not null check (length(hash) = 32),
  primary key (organization_id, chain, height, number)
);

create trigger seal_nodes_are_never_changed before update on seal_nodes
  for each row execute function refuse_change();
create trigger live_nodes_are_never_deleted before delete on seal_nodes
  for each row when (old.chain <> 'sandbox') execute function refuse_change();
create trigger seal_nodes_are_never_emptied before truncate on seal_nodes
  for each statement execute function refuse_change();

call protect_organizations('seal_nodes');

create function list_unsealed_event() returns trigger language plpgsql as $$
begin
  insert into unsealed_events (organization_id, event_id) values (new.organization_id, new.event_id);
  return null;
end $$;

-- Events commit in another order than that of their ids, so those without a seal are listed.
create table unsealed_events (
  organization_id uuid not null,
  event_id uuid not null,
  primary key (organization_id, event_id)
);

call protect_organizations('unsealed_events');

create trigger audit_events_are_sealed after insert on audit_events
  for each row execute function list_unsealed_event();

-- The service may only add entries and seals. It empties a sandbox by this function, which runs as the tables' owner.
create function empty_sandbox_ledger(organization uuid) returns bigint
language sql security definer set search_path from current as $$
  delete from seals where organization_id = organization and chain = 'sandbox';
  delete from seal_nodes where organization_id = organization and chain = 'sandbox';
  delete from ledger_legs where organization_id = organization and environment = 'sandbox';
  with deleted as (
    delete from ledger_entries where organization_id = organization and environment = 'sandbox' returning 1
  )
  select count(*) from deleted;
$$;

revoke execute on function empty_sandbox_ledger from public;
