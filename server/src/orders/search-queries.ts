import type { Environment } from '../base/environment.ts';
import { statement } from '../database/statement.ts';
import { inBothDirections, type OwnedRange } from '../paging/read-page.ts';

type Owner = [organizationId: string, environment: Environment];

/** An order as the portal's lists show it. */
export interface OrderSummaryRow {
  order_id: string;
  idempotency_key: string;
  amount_cents: number;
  is_processing: boolean;
  completes_at: Date | null;
  gift_count: number;
  pending_gift_count: number;
  created_at: Date;
  key_id: string;
  key_name: string;
  key_hint: string;
  member_id: string;
  member_email: string;
}

const columns = `o.order_id, o.idempotency_key, o.amount_cents, o.completes_at is not null as is_processing,
  o.completes_at, o.created_at, o.key_id, k.name as key_name, k.hint as key_hint, o.member_id, m.email as member_email,
  made.count + coalesce(jsonb_array_length(o.pending_gifts), 0) as gift_count,
  coalesce(jsonb_array_length(o.pending_gifts), 0) as pending_gift_count`;

const tables = `join api_keys k on k.organization_id = o.organization_id and k.key_id = o.key_id
   join members m on m.organization_id = o.organization_id and m.member_id = o.member_id
   cross join lateral (
     select count(*) as count from gifts g
     where g.organization_id = o.organization_id and g.environment = o.environment and g.order_id = o.order_id
   ) made`;

export const searchOrders = inBothDirections('orders.search', (name, order) =>
  statement<[...OwnedRange, limit: number], OrderSummaryRow>(
    name,
    `select ${columns}
   from (
     select * from orders
     where organization_id = $1 and environment = $2 and order_id > $3 and order_id < $4
     order by order_id ${order} limit $5
   ) o ${tables}
   order by o.order_id ${order}`,
  ),
);

/** Selects the order with this id or this idempotency key. */
export const selectOrderSummary = statement<
  [...Owner, orderId: string | null, idempotencyKey: string | null],
  OrderSummaryRow
>(
  'orders.select_summary',
  `select ${columns}
   from (
     select * from orders where organization_id = $1 and environment = $2 and order_id = $3
     union all
     select * from orders where organization_id = $1 and environment = $2 and idempotency_key = $4
   ) o ${tables}`,
);
