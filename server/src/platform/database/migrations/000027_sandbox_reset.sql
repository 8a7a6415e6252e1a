-- The service may only add entries and seals. It empties a sandbox by this function, which runs as the tables' owner.
create function empty_sandbox_ledger(organization uuid) returns bigint
language sql security definer set search_path from current as $$
  delete from seals where organization_id = organization and chain = 'sandbox';
  with deleted as (
    delete from ledger_entries where organization_id = organization and environment = 'sandbox' returning 1
  )
  select count(*) from deleted;
$$;
revoke execute on function empty_sandbox_ledger from public;
