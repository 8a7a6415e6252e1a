-- The legs of entries that have more than two: what the entry moves on other accounts than the available balance. Entries
-- without legs have one, on the counter-account of their kind (balances/accounts.ts).
create table ledger_legs (
  organization_id uuid not null references organizations,
  environment environment not null,
  entry_id uuid not null,
  account text not null check (account in (
    'receivable', 'gifts_outstanding', 'gifts_on_cards', 'spent', 'refunds', 'issuer_clearing', 'issuer_overspend',
    'payment_clearing', 'fees', 'expired', 'adjustments')),
  amount_cents bigint not null check (amount_cents <> 0),
  primary key (organization_id, environment, entry_id, account)
);

-- At the commit, when the entry and all its legs are there. Instead of a foreign key, which would look for the legs of each
-- entry of a sandbox that is reset.
create function refuse_unbalanced_legs() returns trigger language plpgsql as $$
begin
  if (
    select e.amount_cents + (
      select sum(l.amount_cents) from ledger_legs l
      where l.organization_id = new.organization_id and l.environment = new.environment and l.entry_id = new.entry_id
    )
    from ledger_entries e
    where e.organization_id = new.organization_id and e.environment = new.environment and e.entry_id = new.entry_id
  ) is distinct from 0 then
    raise exception 'The legs of entry % do not sum to zero.', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_legs_sum_to_zero after insert on ledger_legs deferrable initially deferred
  for each row execute function refuse_unbalanced_legs();

create trigger ledger_legs_are_never_changed before update on ledger_legs
  for each row execute function refuse_change();
create trigger live_legs_are_never_deleted before delete on ledger_legs
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger ledger_legs_are_never_emptied before truncate on ledger_legs
  for each statement execute function refuse_change();

create policy organizations on ledger_legs using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

create or replace function empty_sandbox_ledger(organization uuid) returns bigint
language sql security definer set search_path from current as $$
  delete from seals where organization_id = organization and chain = 'sandbox';
  delete from ledger_legs where organization_id = organization and environment = 'sandbox';
  with deleted as (
    delete from ledger_entries where organization_id = organization and environment = 'sandbox' returning 1
  )
  select count(*) from deleted;
$$;
