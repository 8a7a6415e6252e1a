create type ledger_entry_kind as enum ('funding', 'adjustment', 'order', 'refund');

-- The fill factor leaves room for the next versions of a row in its own page (HOT updates).
create table balances (
  organization_id uuid not null references organizations,
  environment environment not null,
  balance_cents bigint not null check (balance_cents between 0 and 9007199254740991),
  last_id uuid not null,              -- the greatest id of an order placed so far: the next one's are greater
  -- Read under the balance's lock: an order that a cap holds for can tell whether its snapshot is still true.
  is_capped boolean not null default false,
  -- Cents that were taken back by a bank and that the balance did not hold. While above zero, orders are refused.
  owed_cents bigint not null default 0 check (owed_cents >= 0),
  -- A live balance that falls below this wakes its automatic top-up at once. The condition is not met without a rule,
  -- so the debit of an order costs no more. An order never fails because of it: the job of each minute finds what was
  -- not queued.
  topup_below_cents bigint check (topup_below_cents > 0),
  primary key (organization_id, environment)
) with (fillfactor = 50);

create trigger live_balances_are_never_deleted before delete on balances
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger balances_are_never_emptied before truncate on balances
  for each statement execute function refuse_change();

call protect_organizations('balances');

-- Append-only: there is no statement that updates an entry, and only a sandbox reset deletes any.
create table ledger_entries (
  organization_id uuid not null references organizations,
  environment environment not null,
  entry_id uuid not null,
  kind ledger_entry_kind not null,
  amount_cents bigint not null,       -- negative: taken from the balance
  balance_after_cents bigint not null check (balance_after_cents >= 0),
  order_id uuid,
  reference text check (length(reference) between 1 and 200),
  note text check (length(note) between 1 and 1000),
  created_at timestamptz not null,
  gift_id uuid,
  primary key (organization_id, environment, entry_id),
  unique (organization_id, environment, order_id),
  unique (organization_id, environment, reference),
  foreign key (organization_id, environment, order_id) references orders,
  foreign key (organization_id, environment, gift_id) references gifts,
  check (
    case kind
      when 'funding' then amount_cents > 0 and order_id is null and gift_id is null
      when 'adjustment' then order_id is null and gift_id is null and note is not null
      when 'refund' then amount_cents > 0 and order_id is null and gift_id is not null
      else amount_cents < 0 and order_id is not null and gift_id is null
    end
  )
);

create index ledger_entries_not_orders on ledger_entries (organization_id, environment, kind, entry_id)
  where kind <> 'order';
-- One refund for each gift.
create unique index ledger_entries_refund on ledger_entries (organization_id, environment, gift_id)
  where gift_id is not null;

create trigger ledger_entries_are_never_changed before update on ledger_entries
  for each row execute function refuse_change();
create trigger live_entries_are_never_deleted before delete on ledger_entries
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger ledger_entries_are_never_emptied before truncate on ledger_entries
  for each statement execute function refuse_change();

call protect_organizations('ledger_entries');

-- At the commit, when the entry and all its legs are there. Instead of a foreign key, which would look for the legs
-- of each entry of a sandbox that is reset.
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

-- The legs of entries that have more than two: what the entry moves on other accounts than the available balance.
-- Entries without legs have one, on the counter-account of their kind (balances/accounts.ts).
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

create constraint trigger ledger_legs_sum_to_zero after insert on ledger_legs deferrable initially deferred
  for each row execute function refuse_unbalanced_legs();
create trigger ledger_legs_are_never_changed before update on ledger_legs
  for each row execute function refuse_change();
create trigger live_legs_are_never_deleted before delete on ledger_legs
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger ledger_legs_are_never_emptied before truncate on ledger_legs
  for each statement execute function refuse_change();

call protect_organizations('ledger_legs');

create table balance_alerts (
  organization_id uuid not null references organizations,
  environment environment not null,
  threshold_cents bigint not null check (threshold_cents between 1 and 9007199254740991),
  warned_at timestamptz,              -- set while the balance is below the threshold and its people know
  primary key (organization_id, environment)
);

call protect_organizations('balance_alerts');

-- Changes of balances that wait for a second person.
create table approvals (
  organization_id uuid not null references organizations,
  approval_id uuid not null,
  environment environment not null,
  kind ledger_entry_kind not null,
  amount_cents bigint not null check (amount_cents <> 0),
  reference text check (length(reference) between 1 and 200),
  note text check (length(note) between 1 and 1000),
  state text not null check (state in ('waiting', 'approved', 'declined')),
  requested_by text not null,
  created_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  entry_id uuid,                      -- of the ledger, once approved
  primary key (organization_id, approval_id)
);

create unique index approvals_reference on approvals (organization_id, environment, reference) where state <> 'declined';
create index approvals_waiting on approvals (organization_id, approval_id) where state = 'waiting';

call protect_organizations('approvals');
