-- An adjustment of zero cents moves value between other accounts only: a chargeback that finds an empty balance makes what
-- was paid out a debt.
alter table ledger_entries drop constraint ledger_entries_check;
alter table ledger_entries add constraint ledger_entries_check check (
  case kind
    when 'funding' then amount_cents > 0 and order_id is null and gift_id is null
    when 'adjustment' then order_id is null and gift_id is null and note is not null
    when 'refund' then amount_cents > 0 and order_id is null and gift_id is not null
    else amount_cents < 0 and order_id is not null and gift_id is null
  end
) not valid;

alter table topup_reversals drop constraint topup_reversals_kind_check;
alter table topup_reversals add constraint topup_reversals_kind_check check (kind in ('refund', 'dispute', 'return'));

-- What the payment provider kept of top-ups, by its own transaction. This is the operator's cost, so it is no entry of the
-- organization's ledger.
create table topup_costs (
  organization_id uuid not null references organizations,
  transaction_id text not null,        -- of the provider: txn_…
  topup_id uuid not null,
  fee_cents bigint not null,           -- below zero: returned
  created_at timestamptz not null,
  primary key (organization_id, transaction_id)
);
create index topup_costs_topups on topup_costs (organization_id, topup_id);
create policy organizations on topup_costs using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

-- What is owed already had no entry; now the account receivable has it.
with opening as materialized (
  select organization_id, environment, balance_cents, owed_cents, (
      lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
      || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15)
    )::uuid as entry_id
  from balances where owed_cents > 0
), entry as (
  insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents, note, created_at)
  select organization_id, environment, entry_id, 'adjustment', 0, balance_cents, 'Owed after refunds or chargebacks', clock_timestamp()
  from opening
), raised as (
  update balances b set last_id = greatest(b.last_id, o.entry_id) from opening o
  where b.organization_id = o.organization_id and b.environment = o.environment
)
insert into ledger_legs (organization_id, environment, entry_id, account, amount_cents)
select organization_id, environment, entry_id, leg.account, leg.sign * owed_cents
from opening cross join (values ('receivable', -1), ('adjustments', 1)) leg (account, sign);

-- A live balance that falls below this wakes its automatic top-up at once. The condition is not met without a rule, so the
-- debit of an order costs no more. An order never fails because of it: the job of each minute finds what was not queued.
alter table balances add column topup_below_cents bigint check (topup_below_cents > 0);
update balances b set topup_below_cents = a.threshold_cents
from automatic_topups a where a.organization_id = b.organization_id and a.is_on and b.environment = 'live';

create function queue_automatic_topup() returns trigger language plpgsql as $$
begin
  insert into pgboss.job (name, data, start_after, created_on, keep_until, expire_seconds, deletion_seconds, retry_limit,
    retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds, policy, dead_letter)
  select q.name, jsonb_build_object('organizationId', new.organization_id), pgboss.job_now(), pgboss.job_now(),
    pgboss.job_now() + q.retention_seconds * interval '1 second', q.expire_seconds, q.deletion_seconds, q.retry_limit,
    q.retry_delay, q.retry_backoff, q.retry_delay_max, q.heartbeat_seconds, q.policy, q.dead_letter
  from pgboss.queue q where q.name = 'topup';
  return null;
exception when others then
  raise warning 'An automatic top-up waits for the next minute: %', sqlerrm;
  return null;
end $$;
create trigger balances_below_their_threshold after update of balance_cents on balances
  for each row when (new.balance_cents < new.topup_below_cents and old.balance_cents >= new.topup_below_cents)
  execute function queue_automatic_topup();
