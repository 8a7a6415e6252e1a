-- What the portal's lists find without reading past a million rows. Each index holds few rows, so that placing an order
-- writes to none of them: a gift seldom fails, and nearly all entries of the ledger are orders'.

-- The status that people look for to act on. Its condition names one column only, so that opening and claiming a gift
-- stay updates within its page (HOT).
create index gifts_failed on gifts (organization_id, environment, gift_id) where delivery_state = 'failed';

create index ledger_entries_not_orders on ledger_entries (organization_id, environment, kind, entry_id)
  where kind <> 'order';
