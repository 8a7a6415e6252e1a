-- One refund for each gift; the canceled gifts of an organization, a few among many; the unclaimed ones that expire; and one
-- reminder for each day. See 000011.
drop index concurrently if exists ledger_entries_refund;
create unique index concurrently ledger_entries_refund on ledger_entries (organization_id, environment, gift_id)
  where gift_id is not null;
drop index concurrently if exists gifts_canceled;
create index concurrently gifts_canceled on gifts (organization_id, environment, gift_id) where canceled_at is not null;
drop index concurrently if exists gifts_expiring;
create index concurrently gifts_expiring on gifts (organization_id, expiry_announced_at, expires_at)
  where expires_at is not null and claimed_at is null and canceled_at is null;
drop index concurrently if exists deliveries_reminders;
create unique index concurrently deliveries_reminders on deliveries (organization_id, environment, gift_id, reminder_day)
  where reminder_day is not null;
