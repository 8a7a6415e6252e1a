import { appendEvents } from '../../../platform/events/append-events.ts';
import { WITHDRAWN } from '../../delivery/withdrawn.ts';
import { isNotClaiming } from '../gift/held.ts';

const utc = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The changed part of a canceled gift or order, as JSON. @param of SQL expressions */
export const cancellation = ({ reason, now, cents }: { reason: string; now: string; cents: string }) =>
  `jsonb_build_object('cancellation', jsonb_build_object('canceled_at', ${utc(now)}, 'reason', ${reason}, 'refunded', ${cents}))`;

interface CancelExpressions {
  /** As many as targets, each greater than the balance's last id. */
  entryIds: string;
  /** Null if none was given. */
  reason: string;
  now: string;
  event: 'gift.canceled' | 'gift.expired';
  /** More events, as the source of `appendEvents`; the gifts' positions begin with 1. */
  moreEvents?: string;
  /** More CTEs that lock rows, as `after` of `appendEvents`. */
  after?: readonly string[];
}

/** The unclaimed gifts of a condition, locked in the order of ids, as webhook events lock them. @param limit parameter */
export const cancelableGifts = (condition: string, limit = 'null') =>
  `select organization_id, environment, order_id, gift_id, amount_cents from gifts
     where organization_id = $1 and environment = $2 and claimed_at is null and canceled_at is null
       and ${isNotClaiming} and ${condition}
     order by gift_id limit ${limit} for no key update`;

/**
 * CTEs that cancel gifts and return their value to the balance: one statement and one commit. The transaction holds the
 * balance's lock since an earlier statement, so that no order is placed or completed in between. The CTE `target` has the
 * gifts. Withdraws their messages.
 */
export const cancelTargets = ({ entryIds, reason, now, event, moreEvents, after }: CancelExpressions) =>
  `refund as materialized (
     select t.*, (${entryIds}::uuid[])[n] as entry_id, sum(amount_cents) over (order by n) as sum_cents
     from (select *, row_number() over (order by gift_id) as n from target) t
   ), gift as (
     update gifts g set canceled_at = ${now}, cancel_reason = ${reason}, is_waiting = null
     from refund r
     where g.organization_id = $1 and g.environment = $2 and g.gift_id = r.gift_id
     returning g.*
   ), withdrawn as (
     update deliveries d set state = 'failed', reason = '${WITHDRAWN}', settled_at = ${now}
     from refund r
     where d.organization_id = $1 and d.environment = $2 and d.gift_id = r.gift_id and d.state = 'pending'
     returning 1
   ), balance as (
     update balances b set balance_cents = b.balance_cents + r.cents, last_id = r.last_id
     from (
       select sum(amount_cents) as cents, (array_agg(entry_id order by n desc))[1] as last_id from refund having count(*) > 0
     ) r
     where b.organization_id = $1 and b.environment = $2
     returning b.balance_cents - r.cents as before_cents
   ), entry as (
     insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents, gift_id,
       created_at)
     select r.organization_id, r.environment, r.entry_id, 'refund', r.amount_cents, b.before_cents + r.sum_cents, r.gift_id,
       ${now}
     from refund r cross join balance b
     returning 1
   ), ${appendEvents(
     `${moreEvents === undefined ? '' : `${moreEvents} union all `}select organization_id, environment,
         '${event}' as type, order_id, gift_id, ${cancellation({ reason, now, cents: 'amount_cents' })} as data,
         ${now} as created_at, n as position
       from refund`,
     ['gift', 'withdrawn', 'entry', ...(after ?? [])],
   )}`;
