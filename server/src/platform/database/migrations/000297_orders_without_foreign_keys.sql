-- An order, its entry, gifts and messages are written by one statement that has read the organization, key, member and
-- categories, none of which is ever deleted. Checking that again took a quarter of an order's time. Where PostgreSQL can,
-- it still says what belongs together. `bestow ledger verify` looks for rows without what they belong to.
do $$
declare
  unneeded record;
begin
  for unneeded in
    select c.conrelid::regclass as child, c.conname
    from (values
      ('orders', 'api_keys', 'key_id'), ('orders', 'members', 'member_id'),
      ('gifts', 'orders', 'order_id'), ('gifts', 'categories', 'category_id'),
      ('ledger_entries', 'organizations', 'organization_id'), ('ledger_entries', 'orders', 'order_id'),
      ('deliveries', 'gifts', 'gift_id')
    ) as of_order (child, parent, column_name)
    join pg_attribute a on a.attrelid = child::regclass and a.attname = column_name
    join pg_constraint c on c.contype = 'f' and c.conrelid = child::regclass and c.confrelid = parent::regclass
      and a.attnum = any (c.conkey)
  loop
    if current_setting('server_version_num')::integer >= 180000 then
      execute format('alter table %s alter constraint %I not enforced', unneeded.child, unneeded.conname);
    else
      execute format('alter table %s drop constraint %I', unneeded.child, unneeded.conname);
    end if;
  end loop;
end
$$;

-- A sandbox that is reset deletes its gifts, and with them their messages: also one whose statement was waited for.
create function delete_messages() returns trigger language plpgsql as $$
begin
  delete from deliveries d using gone g
  where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id;
  return null;
end $$;

create trigger gifts_take_their_messages after delete on gifts referencing old table as gone
  for each statement execute function delete_messages();
