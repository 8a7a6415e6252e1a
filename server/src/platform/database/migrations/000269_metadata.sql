-- Each pair of the metadata of gifts and orders in the order of ids, so that a search for a rare pair reads few rows.
-- A trigger keeps the pairs, because many statements write and erase metadata; a reset deletes them all by itself.
-- Only metadata costs anything here.
create table metadata_pairs (
  organization_id uuid not null,
  environment environment not null,
  resource text collate "C" not null check (resource in ('gift', 'order')),
  pair bytea not null check (length(pair) = 8),  -- of a hash; the search compares the metadata itself, too
  resource_id uuid not null,          -- of the gift or order
  primary key (organization_id, environment, resource, pair, resource_id)
);
alter table metadata_pairs alter column pair set statistics 0;

call protect_organizations('metadata_pairs');

create function metadata_pair(key text, value text) returns bytea immutable strict parallel safe language sql as $$
  select substr(sha256(convert_to(key || '=' || value, 'UTF8')), 1, 8)
$$;

create function keep_metadata_pairs() returns trigger language plpgsql as $$
declare
  id uuid;
begin
  if tg_op = 'UPDATE' and old.metadata is not null then
    if tg_argv[0] = 'gift' then id := old.gift_id; else id := old.order_id; end if;
    delete from metadata_pairs
    where organization_id = old.organization_id and environment = old.environment and resource = tg_argv[0]
      -- An array, so that it is one look-up in the index for each pair.
      and pair = any (array(select metadata_pair(key, value) from jsonb_each_text(old.metadata))) and resource_id = id;
  end if;
  if new.metadata is not null then
    if tg_argv[0] = 'gift' then id := new.gift_id; else id := new.order_id; end if;
    insert into metadata_pairs (organization_id, environment, resource, pair, resource_id)
    select new.organization_id, new.environment, tg_argv[0], metadata_pair(key, value), id
    from jsonb_each_text(new.metadata)
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger new_gifts_keep_pairs after insert on gifts
  for each row when (new.metadata is not null) execute function keep_metadata_pairs('gift');

create trigger changed_gifts_keep_pairs after update of metadata on gifts
  for each row when (old.metadata is distinct from new.metadata) execute function keep_metadata_pairs('gift');

create trigger new_orders_keep_pairs after insert on orders
  for each row when (new.metadata is not null) execute function keep_metadata_pairs('order');

create trigger changed_orders_keep_pairs after update of metadata on orders
  for each row when (old.metadata is distinct from new.metadata) execute function keep_metadata_pairs('order');
