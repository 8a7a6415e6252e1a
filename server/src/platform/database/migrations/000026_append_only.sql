-- What an order has moved is never changed: an entry of the ledger, a seal, an order, and a gift's value and claim. A
-- sandbox may be emptied. A trigger, because it also stops the tables' owner.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'A row of % cannot be changed or deleted this way.', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create trigger ledger_entries_are_never_changed before update on ledger_entries
  for each row execute function refuse_change();
create trigger seals_are_never_changed before update on seals
  for each row execute function refuse_change();
create trigger card_purchases_are_never_changed before update on card_purchases
  for each row execute function refuse_change();
create trigger orders_keep_what_was_ordered
  before update of organization_id, environment, order_id, idempotency_key, amount_cents, key_id, member_id, created_at
  on orders for each row execute function refuse_change();
create trigger gifts_keep_their_value
  before update of organization_id, environment, gift_id, order_id, position, amount_cents, category_id, created_at
  on gifts for each row execute function refuse_change();
create trigger gifts_are_claimed_once before update of opened_at, claimed_at, card_id on gifts
  for each row when (
    old.claimed_at is not null
    and (new.opened_at, new.claimed_at, new.card_id) is distinct from (old.opened_at, old.claimed_at, old.card_id)
  ) execute function refuse_change();

create trigger live_entries_are_never_deleted before delete on ledger_entries
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger live_seals_are_never_deleted before delete on seals
  for each row when (old.chain <> 'sandbox') execute function refuse_change();
create trigger live_orders_are_never_deleted before delete on orders
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger live_gifts_are_never_deleted before delete on gifts
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger live_purchases_are_never_deleted before delete on card_purchases
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger live_balances_are_never_deleted before delete on balances
  for each row when (old.environment = 'live') execute function refuse_change();

create trigger ledger_entries_are_never_emptied before truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger seals_are_never_emptied before truncate on seals for each statement execute function refuse_change();
create trigger orders_are_never_emptied before truncate on orders for each statement execute function refuse_change();
create trigger gifts_are_never_emptied before truncate on gifts for each statement execute function refuse_change();
create trigger balances_are_never_emptied before truncate on balances
  for each statement execute function refuse_change();
