import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { cancelableGifts, cancellation, cancelTargets } from '../gifts/cancel/statement-parts.ts';
import { insertGifts, pendingGifts } from '../gifts/place/statement-parts.ts';

type Owner = [organizationId: string, environment: Environment];

export interface CanceledOrderRow {
  /** Number of gifts that this statement canceled. */
  canceled: number;
  refunded_cents: number;
}

/**
 * Cancels every unclaimed gift of an order; the transaction has locked the balance. The pending gifts of a processing order
 * are written as canceled ones, so that the order's amount stays the sum of its gifts and each refund names its gift.
 */
export const cancelOrder = statement<
  [...Owner, orderId: string, entryIds: readonly string[], reason: string | null, now: Date],
  CanceledOrderRow
>(
  'orders.cancel',
  `with due as materialized (
     select organization_id, environment, order_id, grant_id, created_at, pending_gifts from orders
     where organization_id = $1 and environment = $2 and order_id = $3
     for update
   ), existing as materialized (
     ${cancelableGifts('order_id = $3')}
   ), pending as (
     ${insertGifts(
       `canceled_at, cancel_reason, delivery_state, sender_name, ${pendingGifts.names}`,
       `select d.organization_id, d.environment, d.order_id, d.grant_id, d.created_at, $6, $5,
       case when g.method <> 'link' then 'pending'::delivery_state end, g.sender_name, ${pendingGifts.ofGift}
     from due d, jsonb_to_recordset(d.pending_gifts) as g (${pendingGifts.columns})`,
     )}
     returning organization_id, environment, order_id, gift_id, amount_cents
   ), processed as (
     update orders o set completes_at = null, pending_gifts = null
     from due d
     where o.organization_id = $1 and o.environment = $2 and o.order_id = d.order_id and d.pending_gifts is not null
     returning 1
   ), target as materialized (
     select * from existing union all select * from pending
   ), ${cancelTargets({
     entryIds: '$4',
     reason: '$5::text',
     now: '$6::timestamptz',
     event: 'gift.canceled',
     moreEvents: `select organization_id, environment, 'order.processed' as type, order_id, null::uuid as gift_id,
         '{"status": "processed"}'::jsonb as data, $6::timestamptz as created_at, -1 as position
       from due where pending_gifts is not null
       union all
       select organization_id, environment, 'order.canceled' as type, order_id, null::uuid as gift_id,
         ${cancellation({ reason: '$5::text', now: '$6::timestamptz', cents: 'sum(amount_cents)' })} as data,
         $6::timestamptz as created_at, 0 as position
       from target group by organization_id, environment, order_id`,
     after: ['processed'],
   })}
   select count(*) as canceled, coalesce(sum(amount_cents), 0)::bigint as refunded_cents
   from refund where organization_id = $1`,
);

/**
 * Whether every gift of an order is claimed, or waits for its card. A gift may have been claimed while `cancelOrder` waited
 * for its lock.
 */
export const selectIsClaimed = statement<[...Owner, orderId: string], { is_claimed: boolean; is_claiming: boolean }>(
  'orders.select_is_claimed',
  `select coalesce(bool_and(claimed_at is not null), false) as is_claimed,
     coalesce(bool_and(coalesce(claimed_at, claiming_at) is not null), false) as is_claiming from gifts
   where organization_id = $1 and environment = $2 and order_id = $3`,
);

export const selectOrderOwner = statementOnEachShard<
  [orderId: string],
  { organization_id: string; environment: Environment }
>(
  'orders.select_owner',
  'the operator names an order by its id alone',
  // Joined from organizations, because an order's primary key begins with its organization.
  `select o.organization_id, r.environment from organizations o
   join orders r on r.organization_id = o.organization_id and r.environment in ('live', 'sandbox') and r.order_id = $1`,
);
