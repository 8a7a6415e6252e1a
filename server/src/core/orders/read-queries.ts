import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { isInReach, rowsInReach } from '../../platform/authentication/grant-rules.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import { inBothDirections } from '../../platform/paging/read-page.ts';
import { columnsReadBy } from '../gifts/gift/field.ts';
import { giftColumnsOf } from '../gifts/gift/gift-fields.ts';
import type { GiftRow } from '../gifts/gift/queries.ts';
import { type BesideGift, besideGift, fieldsOfOrder, type OrderColumns } from './order-fields.ts';

/** An order's columns with those of one gift, which are null if no gift exists yet. */
export interface OrderGiftRow extends Omit<GiftRow, 'gift_id'>, BesideGift<OrderColumns<'api'>> {
  order_id: string;
  is_processing: boolean;
  gift_id: string | null;
}

/** The caller, with an order if the caller is admitted and there is one. */
export type FoundOrder = CallerRow & (OrderGiftRow | { order_id: null });

export const orderColumns = `${callerColumns}, o.order_id, o.completes_at is not null as is_processing,
  ${besideGift(columnsReadBy(fieldsOfOrder, 'api'))}, ${giftColumnsOf('api')}`;

/** A lateral join per order: for a plain join, PostgreSQL would plan to scan all gifts. */
export const giftsOfEachOrder = `left join lateral (
     select * from gifts
     where organization_id = $1 and environment = $2 and order_id = o.order_id
     limit 10
   ) g on true`;

export const selectOrder = statement<[...CallerParameters, orderId: string], FoundOrder>(
  'orders.select',
  `with ${caller({ needs: 'read' })}
   select ${orderColumns}
   from caller
   left join orders o on caller.caller_state = 'admitted'
     and o.organization_id = $1 and o.environment = $2 and o.order_id = $4 and ${isInReach('o')}
   ${giftsOfEachOrder}
   order by g.position`,
);

/** Selects orders from the given id on, which is included; one row without an order if nothing is found. */
export const selectOrders = inBothDirections('orders.list', (name, order) =>
  statement<[...CallerParameters, first: string, limit: number], FoundOrder>(
    name,
    `with ${caller({ needs: 'read' })}
   select ${orderColumns}
   from caller
   left join lateral (
     ${rowsInReach(
       (isOwn) => `select order_id, completes_at, external_id, metadata from orders
     where organization_id = $1 and environment = $2 and order_id ${order === 'desc' ? '<=' : '>='} $4
       and caller.caller_state = 'admitted' and ${isOwn}
     order by order_id ${order} limit $5`,
     )}
   ) o on true
   ${giftsOfEachOrder}
   order by o.order_id ${order}, g.position`,
  ),
);

export const selectOrderExists = statement<
  [organizationId: string, environment: Environment, orderId: string],
  { order_id: string }
>('orders.exists', 'select order_id from orders where organization_id = $1 and environment = $2 and order_id = $3');
