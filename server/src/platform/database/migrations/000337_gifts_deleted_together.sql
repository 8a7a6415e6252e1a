-- A sandbox that is reset deletes its gifts. PostgreSQL looked five times for the rows of each: on a busy machine a million
-- gifts took 278 seconds, 235 of them for this. What belongs to a gift is written by a statement that has locked the gift, and
-- is now deleted with all gifts of a statement together. Where PostgreSQL can, it still says what belongs together.
-- `bestow ledger verify` looks for rows without their gift.
do $$
declare
  unneeded record;
begin
  for unneeded in
    select conrelid::regclass as child, conname from pg_constraint
    where contype = 'f' and confrelid = 'gifts'::regclass
      and conrelid in ('cards'::regclass, 'card_facts'::regclass, 'card_purchases'::regclass, 'card_proofs'::regclass,
        'ledger_entries'::regclass)
  loop
    if current_setting('server_version_num')::integer >= 180000 then
      execute format('alter table %s alter constraint %I not enforced', unneeded.child, unneeded.conname);
    else
      execute format('alter table %s drop constraint %I', unneeded.child, unneeded.conname);
    end if;
  end loop;
end
$$;

-- With a gift's card goes all that is known of it, also a row whose statement was waited for. It runs as the tables' owner,
-- because the service may not delete purchases.
create function delete_cards() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from cards k using gone g
  where k.organization_id = g.organization_id and k.environment = g.environment and k.gift_id = g.gift_id;
  delete from card_facts f using gone g
  where f.organization_id = g.organization_id and f.environment = g.environment and f.gift_id = g.gift_id;
  delete from card_purchases p using gone g
  where p.organization_id = g.organization_id and p.environment = g.environment and p.gift_id = g.gift_id;
  delete from card_proofs p using gone g
  where p.organization_id = g.organization_id and p.environment = g.environment and p.gift_id = g.gift_id;
  return null;
end $$;

revoke execute on function delete_cards from public;

create trigger gifts_take_their_cards after delete on gifts referencing old table as gone
  for each statement execute function delete_cards();
