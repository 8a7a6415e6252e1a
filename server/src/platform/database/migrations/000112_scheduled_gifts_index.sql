-- Gifts whose time has come, and those whose reminder is due. Built while orders are placed.
drop index concurrently if exists gifts_scheduled;
create index concurrently gifts_scheduled on gifts (organization_id, environment, is_waiting, scheduled_for, gift_id)
  where scheduled_for is not null;
