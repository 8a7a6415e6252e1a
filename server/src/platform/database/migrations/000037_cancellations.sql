-- How long a gift can be claimed, for gifts that are ordered from then on. `sold`: the recipient, or someone for them, paid.
alter table organizations
  add column program text not null default 'award' check (program in ('award', 'sold')),
  add column unclaimed_after_days smallint,  -- null: gifts do not expire
  add column expiry_announced_at timestamptz,
  -- Days after the order on which the recipient of an unclaimed live gift is reminded.
  add column reminder_days smallint[] not null default '{7,21}'
    check (cardinality(reminder_days) <= 5 and 1 <= all (reminder_days) and 365 >= all (reminder_days)),
  add check (unclaimed_after_days between case program when 'sold' then 1826 else 30 end and 3650);

-- Promised to the recipient when the gift was ordered; and when the organization was told that the gift expires.
alter table gifts add column expires_at timestamptz, add column expiry_announced_at timestamptz;
alter table gifts alter column expires_at set statistics 10, alter column expiry_announced_at set statistics 10;

-- A reminder is a message of its own, beside the gift's latest one.
alter table deliveries add column reminder_day smallint;
alter table deliveries alter column reminder_day set statistics 10;

-- Until when the times of reminders were looked at.
create table reminder_progress (
  is_only boolean primary key default true check (is_only),
  reminded_until timestamptz not null
);

-- Addresses that get no more reminders of an organization, as hashes.
create table unsubscribed (
  organization_id uuid not null references organizations,
  holder text not null,
  created_at timestamptz not null,
  primary key (organization_id, holder)
);
create policy organizations on unsubscribed using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

-- A canceled gift is void, and its refund is the only one of this gift. Until the previous release is stopped, it refuses to
-- change canceled gifts by the trigger.
alter table gifts add column canceled_at timestamptz, add column cancel_reason text;
alter table gifts alter column canceled_at set statistics 10, alter column cancel_reason set statistics 10;  -- see 000013
alter table gifts add constraint gifts_cancellation check (
  (canceled_at is null or claimed_at is null) and (cancel_reason is null or canceled_at is not null)
  and length(cancel_reason) between 1 and 200
) not valid;
create trigger gifts_are_canceled_for_good before update of canceled_at, cancel_reason, opened_at, claimed_at, card_id on gifts
  for each row when (
    old.canceled_at is not null
    and (new.canceled_at, new.cancel_reason, new.opened_at, new.claimed_at, new.card_id)
      is distinct from (old.canceled_at, old.cancel_reason, old.opened_at, old.claimed_at, old.card_id)
  ) execute function refuse_change();

alter table ledger_entries add column gift_id uuid;
alter table ledger_entries alter column gift_id set statistics 10;
alter table ledger_entries add foreign key (organization_id, environment, gift_id) references gifts not valid;
alter table ledger_entries drop constraint ledger_entries_check;
alter table ledger_entries add constraint ledger_entries_check check (
  case kind
    when 'funding' then amount_cents > 0 and order_id is null and gift_id is null
    when 'adjustment' then amount_cents <> 0 and order_id is null and gift_id is null and note is not null
    when 'refund' then amount_cents > 0 and order_id is null and gift_id is not null
    else amount_cents < 0 and order_id is not null and gift_id is null
  end
) not valid;
