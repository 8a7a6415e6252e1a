import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { insertJobs } from '../../platform/jobs/insert-jobs.ts';
import { queues } from '../../platform/jobs/tasks.ts';
import { inBothDirections } from '../../platform/paging/read-page.ts';

export type TopupKind = 'checkout' | 'bank_transfer' | 'automatic';
type TopupState = 'pending' | 'processing' | 'action_required' | 'succeeded' | 'failed' | 'canceled';
type Topup = [organizationId: string, topupId: string];

export interface TopupRow {
  organization_id: string;
  topup_id: string;
  kind: TopupKind;
  state: TopupState;
  amount_cents: number;
  fee_cents: number;
  source: string | null;
  session_id: string | null;
  payment_id: string | null;
  receipt_url: string | null;
  invoice_url: string | null;
  failure: string | null;
  created_by: string;
  created_at: Date;
  credited_at: Date | null;
}

const columns = `t.organization_id, t.topup_id, t.kind, t.state, t.amount_cents, t.fee_cents, t.source, t.session_id, t.payment_id,
  t.receipt_url, t.invoice_url, t.failure, t.created_by, t.created_at, t.credited_at`;

const topupJob = insertJobs(`select '${queues.topup.name}' as queue,
  jsonb_build_object('organizationId', organization_id, 'topupId', topup_id) as data, interval '0' as delay
  from topup where kind <> 'checkout'`);

/** Adds a top-up; transfers and charges get a job. Returns no row if the source is known, or an automatic one is under way. */
export const insertTopup = statement<
  [
    ...Topup,
    kind: TopupKind,
    amountCents: number,
    feeCents: number,
    source: string | null,
    createdBy: string,
    createdAt: Date,
  ],
  TopupRow
>(
  'topups.insert',
  `with topup as (
     insert into topups as t (organization_id, topup_id, kind, state, amount_cents, fee_cents, source, created_by, created_at)
     values ($1, $2, $3, 'pending', $4, $5, $6, $7, $8)
     on conflict do nothing
     returning ${columns}
   ), job as (
     ${topupJob}
   )
   select ${columns} from topup t where organization_id = $1`,
);

export const selectTopup = statement<Topup, TopupRow>(
  'topups.select',
  `select ${columns} from topups t where organization_id = $1 and topup_id = $2`,
);

export const lockTopup = statement<Topup, TopupRow>(
  'topups.lock',
  `select ${columns} from topups t where organization_id = $1 and topup_id = $2 for update`,
);

export const selectTopupBySource = statement<[organizationId: string, source: string], TopupRow>(
  'topups.select_by_source',
  `select ${columns} from topups t where organization_id = $1 and source = $2`,
);

const reversed = `coalesce((
     select sum(r.amount_cents) from topup_reversals r
     where r.organization_id = t.organization_id and r.topup_id = t.topup_id and r.restored_at is null
   ), 0)::bigint as reversed_cents`;

export type ListedRow = TopupRow & { reversed_cents: number };

export const listTopups = inBothDirections('topups.list', (name, order) =>
  statement<[organizationId: string, above: string, below: string, limit: number], ListedRow>(
    name,
    `select ${columns}, ${reversed} from topups t
     where t.organization_id = $1 and t.topup_id > $2 and t.topup_id < $3
     order by t.topup_id ${order} limit $4`,
  ),
);

export const setSession = statement<[...Topup, sessionId: string]>(
  'topups.set_session',
  'update topups set session_id = $3 where organization_id = $1 and topup_id = $2',
);

/** The first payment that was tried. */
export const setPayment = statement<[...Topup, paymentId: string]>(
  'topups.set_payment',
  `update topups set payment_id = $3 where organization_id = $1 and topup_id = $2 and state <> 'succeeded'`,
);

export const setState = statement<[...Topup, state: Exclude<TopupState, 'succeeded'>, failure: string | null]>(
  'topups.set_state',
  `update topups set state = $3, failure = $4 where organization_id = $1 and topup_id = $2 and state <> 'succeeded'`,
);

export const markCredited = statement<[...Topup, paymentId: string, creditedAt: Date, receiptUrl: string | null]>(
  'topups.credit',
  `update topups set state = 'succeeded', failure = null, payment_id = $3, credited_at = $4, receipt_url = $5
   where organization_id = $1 and topup_id = $2 and state <> 'succeeded'`,
);

export const setInvoice = statement<[...Topup, invoiceUrl: string]>(
  'topups.set_invoice',
  'update topups set invoice_url = $3 where organization_id = $1 and topup_id = $2',
);

interface ReversalRow {
  reversal_id: string;
  amount_cents: number;
  restored_at: Date | null;
}

export const selectReversals = statement<Topup, ReversalRow>(
  'topup_reversals.list',
  'select reversal_id, amount_cents, restored_at from topup_reversals where organization_id = $1 and topup_id = $2',
);

/** The top-up that a returned transfer of this amount was, or the one that this return is already booked on. */
export const selectReturned = statement<
  [organizationId: string, reversalId: string, cents: number],
  TopupRow & { is_known: boolean }
>(
  'topups.select_returned',
  `select ${columns}, r.reversal_id is not null as is_known from topups t
   left join topup_reversals r on r.organization_id = $1 and r.reversal_id = $2 and r.topup_id = t.topup_id
   where t.organization_id = $1 and (r.reversal_id is not null or t.kind = 'bank_transfer' and t.amount_cents = $3
     and t.state in ('pending', 'succeeded') and not exists (
       select from topup_reversals o where o.organization_id = $1 and o.topup_id = t.topup_id and o.restored_at is null
     ))
   order by is_known desc, t.state = 'pending' desc, t.topup_id desc limit 1`,
);

export const insertReversal = statement<
  [
    organizationId: string,
    reversalId: string,
    topupId: string,
    kind: 'refund' | 'dispute' | 'return',
    cents: number,
    at: Date,
  ]
>(
  'topup_reversals.insert',
  `insert into topup_reversals (organization_id, reversal_id, topup_id, kind, amount_cents, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
);

export const restoreReversal = statement<[organizationId: string, reversalId: string, at: Date]>(
  'topup_reversals.restore',
  `update topup_reversals set restored_at = $3
   where organization_id = $1 and reversal_id = $2 and restored_at is null`,
);

export const selectCustomer = statement<[organizationId: string], { customer_id: string }>(
  'topup_customers.select',
  'select customer_id from topup_customers where organization_id = $1',
);

export const lockCustomer = statement<[organizationId: string], { customer_id: string }>(
  'topup_customers.lock',
  'select customer_id from topup_customers where organization_id = $1 for update',
);

/** Keeps the first customer. */
export const insertCustomer = statement<
  [organizationId: string, customerId: string, createdAt: Date],
  { customer_id: string }
>(
  'topup_customers.insert',
  `insert into topup_customers (organization_id, customer_id, created_at) values ($1, $2, $3)
   on conflict (organization_id) do update set customer_id = topup_customers.customer_id
   returning customer_id`,
);

export const selectOpenTopups = statementOnEachShard<[createdBefore: Date, limit: number], TopupRow>(
  'topups.list_open',
  'every hour looks at every top-up that did not end',
  `select ${columns} from topups t
   where state in ('pending', 'processing', 'action_required') and created_at < $1
   order by created_at limit $2`,
);

/** What the provider keeps of a payment may be known only after its credit. */
export const selectTopupsWithoutCosts = statementOnEachShard<
  [creditedSince: Date, limit: number],
  { payment_id: string | null }
>(
  'topups.list_without_costs',
  'every day looks at the latest top-ups',
  `select payment_id from topups t
   where state = 'succeeded' and credited_at >= $1 and not exists (
     select from topup_costs c where c.organization_id = t.organization_id and c.topup_id = t.topup_id
   )
   order by credited_at limit $2`,
);

export const selectTopups = statementOnEachShard<
  [organizationId: string | null, below: string, limit: number],
  ListedRow
>(
  'topups.list_all',
  'the operator lists top-ups of all organizations',
  `select ${columns}, ${reversed} from topups t
   where t.organization_id = coalesce($1::uuid, t.organization_id) and t.topup_id < $2
   order by t.topup_id desc limit $3`,
);

export const selectAnyTopup = statementOnEachShard<[topupId: string], ListedRow>(
  'topups.select_any',
  'the operator names a top-up by its id alone',
  `select ${columns}, ${reversed} from topups t where t.topup_id = $1`,
);

export const selectName = statement<[organizationId: string], { name: string }>(
  'topups.select_organization_name',
  'select name from organizations where organization_id = $1',
);
