-- The leaves of a chain's seals are those of a Merkle tree after RFC 6962. Seals of version 2 have its root as their head;
-- those of version 1, of earlier releases, have a hash that continues the head before.
alter table seals add column version smallint not null default 1 check (version in (1, 2));
comment on column seals.head is 'version 1: a hash of the head before and each leaf; version 2: the root of the tree';

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

create policy organizations on seal_nodes using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

create or replace function empty_sandbox_ledger(organization uuid) returns bigint
language sql security definer set search_path from current as $$
  delete from seals where organization_id = organization and chain = 'sandbox';
  delete from seal_nodes where organization_id = organization and chain = 'sandbox';
  delete from ledger_legs where organization_id = organization and environment = 'sandbox';
  with deleted as (
    delete from ledger_entries where organization_id = organization and environment = 'sandbox' returning 1
  )
  select count(*) from deleted;
$$;
