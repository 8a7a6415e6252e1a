-- Organizations fund themselves. A provider's events are kept as they came, by the provider's id, so that each is worked on
-- once; they are not about one organization until they are read.
create table portal.provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  body text not null,
  received_at timestamptz not null,
  processed_at timestamptz,            -- null: its job is not done
  primary key (provider, event_id)
);
create index provider_events_processed on portal.provider_events (processed_at) where processed_at is not null;
create index provider_events_waiting on portal.provider_events (received_at) where processed_at is null;

create table portal.provider_cursors ( -- events created before this time were listed and are known
  provider text primary key,
  reconciled_at timestamptz not null
);

-- Cents that were taken back by a bank and that the balance did not hold. While above zero, orders are refused.
alter table balances add column owed_cents bigint not null default 0 check (owed_cents >= 0);

create table topup_customers (
  organization_id uuid primary key references organizations,
  customer_id text not null,           -- of the provider
  created_at timestamptz not null
);

create table topups (
  organization_id uuid not null references organizations,
  topup_id uuid not null,
  kind text not null check (kind in ('checkout', 'bank_transfer', 'automatic')),
  state text not null check (state in ('pending', 'processing', 'action_required', 'succeeded', 'failed', 'canceled')),
  amount_cents bigint not null check (amount_cents > 0),  -- what the balance gets
  fee_cents bigint not null check (fee_cents >= 0),       -- paid in addition
  source text,                         -- the transfer, or a second payment of a top-up
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

-- Refunds and chargebacks of top-ups.
create table topup_reversals (
  organization_id uuid not null,
  reversal_id text not null,           -- of the provider: re_… or dp_…
  topup_id uuid not null,
  kind text not null check (kind in ('refund', 'dispute')),
  amount_cents bigint not null check (amount_cents >= 0),
  created_at timestamptz not null,
  restored_at timestamptz,             -- the refund failed, or the dispute was won
  primary key (organization_id, reversal_id)
);
create index topup_reversals_topups on topup_reversals (organization_id, topup_id);

create table automatic_topups (
  organization_id uuid primary key references organizations,
  is_on boolean not null,
  threshold_cents bigint not null check (threshold_cents > 0),
  method text not null check (method in ('fixed', 'target')),
  amount_cents bigint not null check (amount_cents > 0),  -- to add, or to reach
  monthly_cap_cents bigint not null check (monthly_cap_cents > 0),
  payment_method_id text not null,
  card text not null,                  -- brand and last four digits
  failures smallint not null default 0,  -- one after another
  not_before timestamptz,
  off_reason text check (off_reason in ('failures', 'dispute')),
  check (not is_on or off_reason is null)
);

do $$
declare
  tenant text;
begin
  foreach tenant in array array['topup_customers', 'topups', 'topup_reversals', 'automatic_topups'] loop
    execute format(
      $policy$create policy organizations on %I using (
        (select current_setting('app.organization_id', true)) = '*'
        or organization_id = any (
          (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
      )$policy$, tenant);
  end loop;
end $$;

alter type notice_kind add value 'topup';
