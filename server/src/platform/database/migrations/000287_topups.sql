create table topup_customers (
  organization_id uuid primary key references organizations,
  customer_id text not null,          -- of the provider
  created_at timestamptz not null
);

call protect_organizations('topup_customers');

create table topups (
  organization_id uuid not null references organizations,
  topup_id uuid not null,
  kind text not null check (kind in ('checkout', 'bank_transfer', 'automatic')),
  state text not null check (state in ('pending', 'processing', 'action_required', 'succeeded', 'failed', 'canceled')),
  amount_cents bigint not null check (amount_cents > 0),  -- what the balance gets
  fee_cents bigint not null check (fee_cents >= 0),  -- paid in addition
  source text,                        -- the transfer, or a second payment of a top-up
  session_id text,
  payment_id text,
  receipt_url text,
  invoice_url text,
  failure text,
  created_by text not null,
  created_at timestamptz not null,
  credited_at timestamptz,
  primary key (organization_id, topup_id),
  check ((state = 'succeeded') = (credited_at is not null))
) with (fillfactor = 70);

create unique index topups_source on topups (organization_id, source);
create unique index topups_payment on topups (organization_id, payment_id);
create unique index topups_automatic_in_flight on topups (organization_id)
  where kind = 'automatic' and state in ('pending', 'processing', 'action_required');
create index topups_open on topups (created_at) where state in ('pending', 'processing', 'action_required');

call protect_organizations('topups');

-- Refunds and chargebacks of top-ups.
create table topup_reversals (
  organization_id uuid not null,
  reversal_id text not null,          -- of the provider: re_… or dp_…
  topup_id uuid not null,
  kind text not null check (kind in ('refund', 'dispute', 'return')),
  amount_cents bigint not null check (amount_cents >= 0),
  created_at timestamptz not null,
  restored_at timestamptz,            -- the refund failed, or the dispute was won
  primary key (organization_id, reversal_id)
);

create index topup_reversals_topups on topup_reversals (organization_id, topup_id);

call protect_organizations('topup_reversals');

-- What the payment provider kept of top-ups, by its own transaction. This is the operator's cost, so it is no entry
-- of the organization's ledger.
create table topup_costs (
  organization_id uuid not null references organizations,
  transaction_id text not null,       -- of the provider: txn_…
  topup_id uuid not null,
  fee_cents bigint not null,          -- below zero: returned
  created_at timestamptz not null,
  primary key (organization_id, transaction_id)
);

create index topup_costs_topups on topup_costs (organization_id, topup_id);

call protect_organizations('topup_costs');

create table automatic_topups (
  organization_id uuid primary key references organizations,
  is_on boolean not null,
  threshold_cents bigint not null check (threshold_cents > 0),
  method text not null check (method in ('fixed', 'target')),
  amount_cents bigint not null check (amount_cents > 0),  -- to add, or to reach
  monthly_cap_cents bigint not null check (monthly_cap_cents > 0),
  payment_method_id text not null,
  card text not null,                 -- brand and last four digits
  failures smallint not null default 0,  -- one after another
  not_before timestamptz,
  off_reason text check (off_reason in ('failures', 'dispute')),
  check (not is_on or off_reason is null)
);

call protect_organizations('automatic_topups');

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
