import type { Environment } from '../../platform/base/environment.ts';
import { foldText } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import { inBothDirections, type OwnedRange, type ScannedIds } from '../../platform/paging/read-page.ts';
import { columnsReadBy, searchedTexts } from '../gifts/gift/field.ts';
import { fieldsOfOrder, type OrderColumns } from './order-fields.ts';

type Owner = [organizationId: string, environment: Environment];

/** An order as the portal's lists show it. */
export interface OrderSummaryRow extends OrderColumns<'portal'> {
  is_processing: boolean;
  gift_count: number;
  pending_gift_count: number;
  /** Null with the key's other columns if a member ordered in the portal. */
  key_id: string | null;
  key_name: string;
  key_hint: string;
  member_id: string;
  member_email: string;
}

const ownColumns = columnsReadBy(fieldsOfOrder, 'portal').map((column) => `o.${column}`);
const columns = `${ownColumns.join(', ')}, o.completes_at is not null as is_processing,
  o.key_id, k.name as key_name, k.hint as key_hint, o.member_id, m.email as member_email,
  made.count + coalesce(jsonb_array_length(o.pending_gifts), 0) as gift_count,
  coalesce(jsonb_array_length(o.pending_gifts), 0) as pending_gift_count`;

/** Condition: the order has the text, in lower case. */
const hasText = (parameter: string) =>
  searchedTexts(fieldsOfOrder)
    .map((text) => `strpos(${foldText(text)}, ${foldText(parameter)}) > 0`)
    .join(' or ');

const tables = `left join api_keys k on k.organization_id = o.organization_id and k.key_id = o.key_id
   join members m on m.organization_id = o.organization_id and m.member_id = o.member_id
   cross join lateral (
     select count(*) as count from gifts g
     where g.organization_id = o.organization_id and g.environment = o.environment and g.order_id = o.order_id
   ) made`;

const inRange = 'organization_id = $1 and environment = $2 and order_id > $3 and order_id < $4';

/** A query of the newest or oldest orders of a range. @param senders SQL of the members who sent them; null: of anyone */
const ordersOf = (order: 'desc' | 'asc', limit: string, senders: string) =>
  `(select * from orders where ${inRange} and ${senders}::uuid[] is null order by order_id ${order} limit ${limit})
     union all
     (select o.* from unnest(${senders}::uuid[]) as s (member_id) cross join lateral (
        select * from orders where ${inRange} and sender_member_id = s.member_id order by order_id ${order} limit ${limit}
      ) o order by o.order_id ${order} limit ${limit})`;

type Senders = readonly string[] | null;

export const searchOrders = inBothDirections('orders.search', (name, order) =>
  statement<[...OwnedRange, limit: number, senders: Senders], OrderSummaryRow>(
    name,
    `select ${columns}
   from (
     ${ordersOf(order, '$5', '$6')}
   ) o ${tables}
   order by o.order_id ${order}`,
  ),
);

/** Counts and sums the newest orders, with a text in lower case if one is given, up to the limit. */
export const totalOrders = statement<
  [...OwnedRange, maxScanned: number, text: string | null, senders: Senders],
  { scanned: number; count: number; amount_cents: number }
>(
  'orders.total',
  `select count(*) as scanned, count(*) filter (where is_match) as count,
     coalesce(sum(amount_cents) filter (where is_match), 0)::bigint as amount_cents
   from (
     select amount_cents, $6::text is null or ${hasText('$6')} as is_match
     from (${ordersOf('desc', '$5', '$7')}) scanned
   ) newest`,
);

/** How many orders one page's search of a text scans. */
export const MAX_SCANNED = 2_000;

/** Selects orders with a text in their external id or metadata. The number of rows is as in gifts. */
export const searchOrderTexts = inBothDirections('orders.search_text', (name, order) =>
  statement<[...OwnedRange, limit: number, text: string, maxScanned: number, senders: Senders], OrderSummaryRow>(
    name,
    `select ${columns}
   from (
     select * from (
       ${ordersOf(order, '$7', '$8')}
     ) scanned
     where ${hasText('$6')}
     order by order_id ${order} limit $5
   ) o ${tables}
   order by o.order_id ${order}`,
  ),
);

export const scanOrders = inBothDirections('orders.scan', (name, order) => {
  const ids = `select order_id from (${ordersOf(order, '$5 + 1', '$6')}) scanned order by order_id ${order}`;
  return statement<[...OwnedRange, offset: number, senders: Senders], ScannedIds>(
    name,
    `select (${ids} limit 1) as first_id, (${ids} offset $5 limit 1) as last_id`,
  );
});

/** Selects the orders with this id, idempotency key or external id. */
export const selectOrderSummary = statement<
  [...Owner, orderId: string | null, idempotencyKey: string | null, senders: Senders],
  OrderSummaryRow
>(
  'orders.select_summary',
  `select ${columns}
   from (
     select * from orders where organization_id = $1 and environment = $2 and order_id = $3
     union all
     select * from orders where organization_id = $1 and environment = $2 and idempotency_key = $4
     union all
     select * from orders
     where organization_id = $1 and environment = $2 and external_id = $4 and idempotency_key <> $4
   ) o ${tables}
   where $5::uuid[] is null or o.sender_member_id = any ($5)`,
);
