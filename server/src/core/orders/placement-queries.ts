import { type Queryable, statementOfSeveral } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { insertMessageJobs } from '../../platform/jobs/insert-jobs.ts';
import { insertEntries, setBalances } from '../balances/statement-parts.ts';
import { ERASED_FINGERPRINT } from '../gifts/gift/address.ts';
import { insertGifts, insertMessages, returningGift } from '../gifts/place/statement-parts.ts';
import { salted } from './order-expressions.ts';
import type { PlacementRow } from './placement.ts';
import type { GiftRecord, OrderRecord } from './prepare-order.ts';

/**
 * What usual orders and all orders add to the statement that places them, in the order of its text; usual orders need no
 * optional part. Expressions may use the caller `c`, the order `r` and the earlier order of its key, `e`.
 */
interface PlacementParts {
  /** Query of the caller `r`, with at least the columns that usual orders have. */
  caller: string;
  /** More columns of the orders in JSON. */
  orderColumns?: string;
  /** More columns of the orders, from `r`, `c` and `knownFrom`. */
  known?: string;
  /** Joins to `r`, `c` and `e`. */
  knownFrom?: string;
  /** Further condition for a replay. */
  hasSameCaller?: string;
  /** The decision about a caller who may not order: `when … then …`. */
  ifNotAdmitted: string;
  /** What else is decided before the balance: `when … then …`. */
  refusals: string;
  /** CTEs that read what limits the orders `known` whose `decision` is null. */
  limits?: string;
  /** Columns and joins to `known` and `balance`. */
  limited?: string;
  limitedFrom?: string;
  /** Whether the limits of an order may let it through. */
  mayFit?: string;
  /** Whether they do. */
  fits: string;
  /** The decisions about limits. */
  ifNotFitting: string;
  /** Column of the member to whom the order is attributed. */
  member: string;
  /** More columns of an order, and their values from the order `c`. */
  placed?: { names: string; values: string };
  /** CTEs that write what else belongs to the orders `paid`. */
  writes?: string;
  /** Of gifts `g` in JSON and the order `p`. */
  gifts: { columns: string; names: string; values: string; grant: string };
  /** What the event about an order says. */
  created: string;
  /** Further events, from `gift` and `paid`. */
  facts?: string;
  /** CTEs of `writes` that lock rows. */
  locking?: string[];
  /** Columns of the answer about an order `c`. */
  answer: string;
}

const also = (part: string | undefined, before = ', ') => (part === undefined ? '' : `${before}${part}`);

/**
 * The statement that places a group of orders of any organizations, in one commit. Steps: check the API keys, look for the
 * idempotency keys, lock each balance once, debit the orders of an organization one after another, append. The outcome at the
 * end names each step.
 *
 * PostgreSQL takes the snapshot before the locks. `for update` re-reads the balance, but an order of the same key that was
 * committed in between stays invisible. So the insert says `on conflict do nothing`; debit, entries and gifts join its
 * returned rows; and an order that is neither earlier nor placed must run again. The same holds for two orders with one
 * external id, in one group or in two.
 *
 * `covered` is the running sum that decides, over orders that the balance could pay alone; an order that only the sum does
 * not cover runs again, after those before it. The advisory lock per key only distinguishes `in_progress` from `locked`;
 * the balance's lock alone protects the money.
 */
const placementText = (parts: PlacementParts) => `with caller as materialized (
    -- Each key, with its organization.
    select r.caller, r.organization_id, r.environment, r.created_at, r.link_expires_at, c.*,
      (select b.last_id from balances b
        where b.organization_id = r.organization_id and b.environment = r.environment) as seen_last_id
    from json_to_recordset($1) as r (caller smallint, organization_id uuid, environment environment, key_hash bytea,
      client_address text, asked_at timestamptz, created_at timestamptz, link_expires_at timestamptz)
    left join lateral (
      ${parts.caller}
    ) c on true
  ), known as materialized (
    -- The orders, with what is decided before the balance.
    select r.n, r.idempotency_key, r.fingerprint, r.order_id, r.entry_id, r.amount_cents, r.external_id, r.metadata,
      r.traceparent, c.*, e.*${also(parts.known)},
      case
        -- The same order, committed before its connection was lost: placed, even if the key was revoked since.
        when e.earlier_order_id = r.order_id then 'placed'
        ${parts.ifNotAdmitted}
        when e.earlier_order_id is not null then case when e.has_same_body then 'replayed' else 'key_reused' end
        when not pg_try_advisory_xact_lock(r.key_lock) then 'in_progress'
        ${parts.refusals}
      end as decision
    from json_to_recordset($2) as r (n smallint, caller smallint, key_lock bigint, idempotency_key text, fingerprint bytea,
      order_id uuid, entry_id uuid, amount_cents integer, categories text[], is_refused boolean, needs_issuer boolean, external_id text,
      metadata jsonb, traceparent text${also(parts.orderColumns)})
    join caller c using (caller)
    -- A subquery per order: for a join, PostgreSQL expects a hundred orders and scans every one of them.
    left join lateral (
      select o.order_id as earlier_order_id, o.completes_at is not null as is_processing,
        o.external_id as earlier_external_id, o.metadata as earlier_metadata,
        o.fingerprint in (r.fingerprint, ${salted('o', 'r')}, '${ERASED_FINGERPRINT}')${also(parts.hasSameCaller, ' and ')} as has_same_body
      from orders o
      where o.organization_id = c.organization_id and o.environment = c.environment
        and o.idempotency_key = r.idempotency_key limit 1
    ) e on true${also(parts.knownFrom, ' ')}
  ), balance as materialized (
    -- Locked, each once.
    select b.organization_id, b.environment, b.last_id, b.is_capped,
      -- What a bank took back is paid first.
      case when b.owed_cents > 0 then 0 else b.balance_cents end as balance_cents
    from balances b
    where (b.organization_id, b.environment) in (select organization_id, environment from known where decision is null)
    for update of b skip locked
  ), ${parts.limits ?? ''}covered as materialized (
    -- With the running sum of those that the balance could pay alone.
    select k.*, b.balance_cents, b.last_id, b.is_capped${also(parts.limited)}, sum(k.amount_cents)
      filter (where k.decision is null and k.amount_cents <= b.balance_cents${also(parts.mayFit, ' and ')})
      over (partition by organization_id, environment order by k.n) as sum_cents
    from known k left join balance b using (organization_id, environment)${also(parts.limitedFrom, ' ')}
  ), placed as (
    insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id,
      member_id, created_at, external_id, metadata${also(parts.placed?.names)})
    select organization_id, environment, order_id, idempotency_key, ${salted('c', 'c')}, amount_cents, key_id,
      ${parts.member}, created_at, external_id, metadata${also(parts.placed?.values)}
    from covered c
    where decision is null and amount_cents <= balance_cents and sum_cents <= balance_cents and last_id < order_id
      and (${parts.fits})
    on conflict do nothing
    returning order_id
  ), paid as materialized (
    -- Those that no other statement placed first.
    select c.*, balance_cents - sum(amount_cents) over line as balance_after_cents, lead(n) over line is null as is_last
    from placed join covered c using (order_id)
    window line as (partition by organization_id, environment order by n)
  ), debit as (
    ${setBalances('select organization_id, environment, balance_after_cents, entry_id from paid where is_last')}
  ), entry as (
    ${insertEntries({
      refersTo: 'order_id',
      source: `select organization_id, environment, entry_id, 'order', -amount_cents, balance_after_cents, order_id, created_at
    from paid`,
    })}
  ), ${parts.writes ?? ''}gift as (
    ${insertGifts(
      `expires_at, sender_name, ${parts.gifts.names}`,
      `select p.organization_id, p.environment, p.order_id, ${parts.gifts.grant}, p.created_at, ${parts.gifts.values}
    from json_to_recordset($3) as g (n smallint, ${parts.gifts.columns}) join paid p using (n)`,
    )}
    ${returningGift}
  ), delivery as (
    ${insertMessages} and is_waiting is null
  ), message as (
    ${insertMessageJobs(`select g.organization_id, g.environment, g.gift_id, g.delivery_id, g.method as channel, p.traceparent
      from gift g join paid p using (order_id) where g.is_waiting is null`)}
  ), ${appendEvents(
    `select organization_id, environment, 'order.created' as type, order_id, null::uuid as gift_id,
      ${parts.created}::jsonb as data, created_at, n * 1000000::bigint as position from paid${also(parts.facts, ' union all ')}`,
    parts.locking,
  )}
  select c.n, c.key_id, c.organization_name, c.last_id, o.outcome, ${parts.answer},
    case when o.outcome = 'replayed' then json_build_object('order_id', c.earlier_order_id, 'is_processing', c.is_processing,
      'external_id', c.earlier_external_id, 'metadata', c.earlier_metadata, 'gifts', (
        select coalesce(json_agg(g order by g.position), '[]') from gifts g
        where g.organization_id = c.organization_id and g.environment = c.environment and g.order_id = c.earlier_order_id
      )) end as earlier
  from covered c
  left join paid p using (n)
  cross join lateral (
    select case
      when p.order_id is not null then 'placed'
      when c.decision is not null then c.decision
      when c.balance_cents is null then case when c.seen_last_id is null then 'insufficient_balance' else 'locked' end
      ${parts.ifNotFitting}
      -- If an order was committed since the snapshot, it may be this key's order, or have used up the cap.
      when c.amount_cents > c.balance_cents and c.last_id = c.seen_last_id then 'insufficient_balance'
      when c.amount_cents <= c.balance_cents and c.last_id >= c.order_id then 'stale_ids'
      else 'run_again'
    end as outcome
  ) o
  order by c.n`;

/** A function that places a group of orders of one shard, prepared at the same moment, and returns a row for each, in the same order. */
export function placementOf(name: string, parts: PlacementParts, valuesOfGift: (gift: GiftRecord) => object) {
  const place = statementOfSeveral<[callers: string, orders: string, gifts: string], PlacementRow>(
    name,
    placementText(parts),
  );
  return (database: Queryable, orders: readonly OrderRecord[]): Promise<PlacementRow[]> => {
    const callers = new Map<string, OrderRecord>();
    for (const order of orders) callers.set(callerOf(order), order);
    const numbers = new Map([...callers.keys()].map((caller, number) => [caller, number]));
    const values = [
      [...callers.values()].map(valuesOfCaller),
      orders.map((order, n) => valuesOf(order, n, numbers.get(callerOf(order)))),
      orders.flatMap(({ gifts }, n) => gifts.map((gift) => ({ n, ...valuesOfGift(gift) }))),
    ];
    const [keys = '', rows = '', gifts = ''] = values.map((value) => JSON.stringify(value));
    return place(
      database,
      [keys, rows, gifts],
      orders.map(({ organization_id }) => organization_id),
    );
  };
}

/** An order that was approved needs the grant, not the token that asked, which may have ended. */
const isApproved = ({ placed_by }: OrderRecord) => placed_by?.claim_id !== undefined;

const callerOf = (order: OrderRecord) =>
  `${order.organization_id} ${order.environment} ${order.key_hash} ${order.client_address} ${isApproved(order)}`;

const valuesOfCaller = (order: OrderRecord, caller: number) => ({
  caller,
  organization_id: order.organization_id,
  environment: order.environment,
  key_hash: order.key_hash,
  client_address: order.client_address,
  asked_at: isApproved(order) ? undefined : order.created_at,
  created_at: order.created_at,
  link_expires_at: order.gifts[0]?.link_expires_at,
});

const valuesOf = (order: OrderRecord, n: number, caller: number | undefined) => ({
  n,
  caller,
  key_lock: order.key_lock,
  idempotency_key: order.idempotency_key,
  fingerprint: order.fingerprint,
  order_id: order.order_id,
  entry_id: order.entry_id,
  amount_cents: order.amount_cents,
  categories: order.categories,
  is_refused: order.may_be_placed ? undefined : true,
  needs_issuer: order.needs_issuer,
  external_id: order.external_id,
  metadata: order.metadata,
  traceparent: order.traceparent,
  placed_by: order.placed_by ?? undefined,
  completes_at: order.completes_at ?? undefined,
  pending_gifts: order.pending_gifts ?? undefined,
  recipients: order.recipients ?? undefined,
  addresses: order.addresses ?? undefined,
});

/** SQL of a caller's key, as `isAdmitted` and `selectCaller` want it. */
export const presented = {
  organizationId: 'r.organization_id',
  environment: 'r.environment',
  key: {
    hash: `nullif(r.key_hash, '')`,
    address: `nullif(r.client_address, '')::inet`,
    at: 'r.asked_at',
  },
};

/** The order whose external id an order `r` has. Not exists(): PostgreSQL would plan to scan all orders for it. */
export const takenBy = `case when r.external_id is not null then (
        select o.order_id from orders o where o.organization_id = c.organization_id and o.environment = c.environment
          and o.external_id = r.external_id limit 1
      ) end`;
