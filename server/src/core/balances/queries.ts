import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { bookCheck } from './book-check-queries.ts';

type Owner = [organizationId: string, environment: Environment];

export interface LockedBalanceRow {
  balance_cents: number;
  last_id: string;
  /** Whether the statement found the row when it began. */
  existed: boolean;
}

/**
 * Locks the balance, or creates an empty one. The update changes nothing but locks the row; with `on conflict do nothing`
 * and `for update`, a reset could delete the row in between. Caps outlive a reset.
 */
export const lockBalance = statement<Owner, LockedBalanceRow>(
  'balances.lock',
  `insert into balances (organization_id, environment, balance_cents, last_id, is_capped)
   select $1, $2, 0, '00000000-0000-0000-0000-000000000000',
     exists (select from spending_caps where organization_id = $1 and environment = $2)
   on conflict (organization_id, environment) do update set balance_cents = balances.balance_cents
   returning balance_cents, last_id, exists (select from balances where organization_id = $1 and environment = $2) as existed`,
);

export const selectSandbox = statement<[organizationId: string], { organization_id: string }>(
  'balances.select_sandbox',
  'select organization_id from sandboxes where organization_id = $1',
);

export interface EntryRow {
  entry_id: string;
  kind: 'funding' | 'adjustment' | 'order' | 'refund';
  amount_cents: number;
  balance_after_cents: number;
}

export const selectEntryByReference = statement<[...Owner, reference: string], EntryRow>(
  'ledger_entries.select_by_reference',
  `select entry_id, kind, amount_cents, balance_after_cents from ledger_entries
   where organization_id = $1 and environment = $2 and reference = $3`,
);

export const selectKnownReferences = statement<[...Owner, references: readonly string[]], { reference: string }>(
  'ledger_entries.select_known_references',
  `select reference from ledger_entries
   where organization_id = $1 and environment = $2 and reference = any($3)`,
);

/** Changes the balance and appends its entry, whose id later ones must exceed. */
export const insertEntry = statement<
  [
    ...Owner,
    entryId: string,
    kind: 'funding' | 'adjustment',
    amountCents: number,
    reference: string | null,
    note: string | null,
    createdAt: Date,
    shownId: string,
  ],
  EntryRow
>(
  'ledger_entries.insert',
  `with changed as (
     update balances set balance_cents = balance_cents + $5::bigint, last_id = greatest(last_id, $3::uuid)
     where organization_id = $1 and environment = $2
     returning organization_id, environment, balance_cents
   ), entry as (
     insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents,
       reference, note, created_at)
     select organization_id, environment, $3, $4, $5::bigint, balance_cents, $6, $7, $8 from changed where organization_id = $1
     returning *
   ), ${appendEvents(`select organization_id, environment, 'balance.funded' as type, null::uuid as order_id,
       null::uuid as gift_id, jsonb_build_object('entry_id', $9::text, 'kind', kind, 'amount', amount_cents,
         'balance', balance_after_cents) as data, created_at, 0 as position
     from entry`)}
   select entry_id, kind, amount_cents, balance_after_cents from entry`,
);

export const selectBalances = statement<[organizationId: string], { environment: Environment; balance_cents: number }>(
  'balances.list',
  'select environment, balance_cents from balances where organization_id = $1',
);

interface BalanceAlertRow {
  threshold_cents: number;
  warned_at: Date | null;
}

export const selectBalanceAlert = statement<Owner, BalanceAlertRow>(
  'balance_alerts.select',
  'select threshold_cents, warned_at from balance_alerts where organization_id = $1 and environment = $2',
);

/** Returns no row if nothing changes. Keeps `warned_at`. */
export const setBalanceAlert = statement<[...Owner, thresholdCents: number], BalanceAlertRow>(
  'balance_alerts.set',
  `insert into balance_alerts (organization_id, environment, threshold_cents)
   values ($1, $2, $3)
   on conflict (organization_id, environment) do update set threshold_cents = excluded.threshold_cents
   where balance_alerts.threshold_cents <> excluded.threshold_cents
   returning threshold_cents, warned_at`,
);

/** Returns no row if no alert is set. */
export const deleteBalanceAlert = statement<Owner, BalanceAlertRow>(
  'balance_alerts.delete',
  `delete from balance_alerts where organization_id = $1 and environment = $2 returning threshold_cents, warned_at`,
);

/** Re-arms the alerts of balances at or above their threshold. */
export const rearmBalanceAlerts = statementOnEachShard<[]>(
  'balance_alerts.rearm',
  'every minute looks at every balance',
  `update balance_alerts a set warned_at = null
   from balances b
   where b.organization_id = a.organization_id and b.environment = a.environment
     and a.warned_at is not null and b.balance_cents >= a.threshold_cents`,
);

/** A missing balance counts as 0, as after a reset. Skips deleted sandboxes. */
export const selectLowBalances = statementOnEachShard<
  [limit: number],
  { organization_id: string; environment: Environment }
>(
  'balance_alerts.list_low',
  'every minute looks at every balance',
  `select a.organization_id, a.environment
   from balance_alerts a
   left join balances b on b.organization_id = a.organization_id and b.environment = a.environment
   where a.warned_at is null and coalesce(b.balance_cents, 0) < a.threshold_cents
     and (a.environment = 'live' or exists (select from sandboxes s where s.organization_id = a.organization_id))
   order by a.organization_id, a.environment limit $1`,
);

interface LowBalanceRow {
  organization_name: string;
  balance_cents: number;
  threshold_cents: number;
  /** Null if there is no active billing contact. */
  billing_contact_email: string | null;
}

/** Returns no row if another process claimed the warning, or the balance is no longer low. */
export const claimWarning = statement<[...Owner, warnedAt: Date], LowBalanceRow>(
  'balance_alerts.claim',
  `with low as (
     update balance_alerts a set warned_at = $3
     from organizations o
     left join balances b on b.organization_id = o.organization_id and b.environment = $2
     left join members m on m.organization_id = o.organization_id and m.member_id = o.billing_contact_member_id
       and m.deactivated_at is null
     where a.organization_id = $1 and a.environment = $2 and o.organization_id = $1
       and a.warned_at is null and coalesce(b.balance_cents, 0) < a.threshold_cents
     returning a.organization_id, a.environment, o.name as organization_name,
       coalesce(b.balance_cents, 0) as balance_cents, a.threshold_cents, m.email as billing_contact_email
   ), ${appendEvents(`select organization_id, environment, 'balance.low' as type, null::uuid as order_id,
       null::uuid as gift_id, jsonb_build_object('balance', balance_cents, 'threshold', threshold_cents) as data,
       $3::timestamptz as created_at, 0 as position
     from low`)}
   select organization_name, balance_cents, threshold_cents, billing_contact_email from low`,
);

export interface LedgerCountsRow {
  organizations: number;
  balances: number;
  ledger_entries: number;
  orders: number;
  gifts: number;
}

export const countLedger = statementOnEachShard<[], LedgerCountsRow>(
  'ledger.count',
  'the operator verifies every ledger',
  `select (select count(*) from organizations) as organizations, (select count(*) from balances) as balances,
     (select count(*) from ledger_entries) as ledger_entries, (select count(*) from orders) as orders,
     (select count(*) from gifts) as gifts`,
);

const culprit = 'count(*) over () as total';

/** Finds balances that differ from the sum of their entries, and entries without a balance. */
export const wrongBalances = bookCheck(
  'ledger.select_wrong_balances',
  `select organization_id, environment, null::uuid as subject_id, coalesce(e.sum_cents, 0)::text as expected,
     coalesce(b.balance_cents::text, 'no balance') as found, ${culprit}
   from balances b
   full join (
     select organization_id, environment, sum(amount_cents) as sum_cents from ledger_entries
     group by organization_id, environment
   ) e using (organization_id, environment)
   where b.balance_cents is distinct from coalesce(e.sum_cents, 0)
   order by organization_id, environment limit $1`,
);

export const negativeBalances = bookCheck(
  'ledger.select_negative_balances',
  `select organization_id, environment, entry_id as subject_id, '0 or more' as expected, found_cents::text as found,
     ${culprit}
   from (
     select organization_id, environment, null::uuid as entry_id, balance_cents as found_cents from balances
     union all
     select organization_id, environment, entry_id, balance_after_cents from ledger_entries
   ) figure
   where found_cents < 0
   order by organization_id, environment, entry_id limit $1`,
);

/**
 * Finds gaps in the chain from zero to the balance: every entry must start from the balance that another entry left. Does
 * not rely on id order, because an order's id is created before the order waits for the balance's lock.
 */
export const brokenChains = bookCheck(
  'ledger.select_broken_chains',
  `select organization_id, environment,
     coalesce(min(entry_id::text) filter (where step = -1), min(entry_id::text))::uuid as subject_id,
     case when sum(step) < 0 then 'another entry that leaves ' else 'another entry that starts from ' end || cents
       as expected,
     abs(sum(step)) || ' missing' as found, ${culprit}
   from (
     select organization_id, environment, entry_id, balance_after_cents as cents, 1 as step from ledger_entries
     union all
     select organization_id, environment, entry_id, balance_after_cents - amount_cents, -1 from ledger_entries
     union all
     select organization_id, environment, null, 0, 1 from balances
     union all
     select organization_id, environment, null, balance_cents, -1 from balances
   ) figure
   group by organization_id, environment, cents
   having sum(step) <> 0
   order by organization_id, environment, cents limit $1`,
);

/** Finds orders without exactly one debit of their amount, and debits without an order. */
export const wrongDebits = bookCheck(
  'ledger.select_wrong_debits',
  `select organization_id, environment, order_id as subject_id,
     coalesce('one debit of ' || o.amount_cents, 'no debit, for there is no such order') as expected,
     coalesce(d.count, 0) || ' of ' || coalesce(d.taken_cents, 0) as found, ${culprit}
   from orders o
   full join (
     select organization_id, environment, order_id, count(*) as count, -sum(amount_cents) as taken_cents
     from ledger_entries where kind = 'order'
     group by organization_id, environment, order_id
   ) d using (organization_id, environment, order_id)
   where d.count is distinct from 1 or d.taken_cents is distinct from o.amount_cents
   order by organization_id, environment, order_id limit $1`,
);

/** Finds orders whose amount is not the sum of their gifts, including the pending gifts of processing orders. */
export const wrongAmounts = bookCheck(
  'ledger.select_wrong_amounts',
  `select o.organization_id, o.environment, o.order_id as subject_id, o.amount_cents::text as expected,
     (coalesce(g.sum_cents, 0) + coalesce(p.sum_cents, 0))::text as found, ${culprit}
   from orders o
   left join (
     select organization_id, environment, order_id, sum(amount_cents) as sum_cents from gifts
     group by organization_id, environment, order_id
   ) g on g.organization_id = o.organization_id and g.environment = o.environment and g.order_id = o.order_id
   left join lateral (
     select sum(amount_cents) as sum_cents from jsonb_to_recordset(o.pending_gifts) as p (amount_cents integer)
   ) p on true
   where coalesce(g.sum_cents, 0) + coalesce(p.sum_cents, 0) <> o.amount_cents
   order by o.organization_id, o.environment, o.order_id limit $1`,
);

/** Finds orders without 1 to 10 gifts numbered from 0 without a gap, pending gifts last. */
export const wrongPositions = bookCheck(
  'ledger.select_wrong_positions',
  `select o.organization_id, o.environment, o.order_id as subject_id, '1 to 10 gifts, numbered from 0' as expected,
     'positions ' || coalesce(array_to_string(n.positions, ', '), 'none') as found, ${culprit}
   from orders o
   left join lateral (
     select array_agg(position::integer order by is_pending, position) as positions
     from (
       select g.position, false as is_pending from gifts g
       where g.organization_id = o.organization_id and g.environment = o.environment and g.order_id = o.order_id
       union all
       select p.position, true from jsonb_to_recordset(o.pending_gifts) as p (position smallint)
     ) gift
   ) n on true
   where n.positions is distinct from (
     select array_agg(i order by i) from generate_series(0, least(greatest(cardinality(n.positions), 1), 10) - 1) as i
   )
   order by o.organization_id, o.environment, o.order_id limit $1`,
);

/** Keeps the first. */
export const insertCost = statement<
  [organizationId: string, transactionId: string, topupId: string, feeCents: number, at: Date]
>(
  'topup_costs.insert',
  `insert into topup_costs (organization_id, transaction_id, topup_id, fee_cents, created_at) values ($1, $2, $3, $4, $5)
   on conflict do nothing`,
);
