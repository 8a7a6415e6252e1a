import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { type FilteredPage, readFilteredPage } from '../../platform/paging/read-filtered-page.ts';
import type { PageRequest } from '../../platform/paging/read-page.ts';
import type { Deps } from '../deps.ts';
import { type GiftFilters, statusOf } from '../gifts/find/filter-gifts.ts';
import { noLinks } from '../gifts/find/no-links.ts';
import { boundsOf, timeOf } from '../gifts/find/statement-parts.ts';
import { type FilteredOrderRow, filteredOrders } from './filter-queries.ts';
import { isFound } from './list-orders.ts';
import { presentOrder } from './present-order.ts';
import type { OrderBody } from './schema.ts';

/** One gift of the order has the method, category, recipient, state and times; the rest is the order's. */
interface OrderFilters
  extends Pick<GiftFilters, 'method' | 'category' | 'recipient' | 'externalId' | 'metadata' | 'state' | 'times'> {
  status?: OrderStatus | undefined;
}

/** An order with the number and sum of its gifts. */
export interface SummedOrder extends Omit<OrderBody, 'gifts'> {
  gift_count: number;
  /** Whole cents. */
  amount: number;
}

export type OrderStatus = 'processing' | 'processed';

/**
 * Returns a page of the orders that match, most recent first. A search that has to pass over orders stops after 500, or 1,010
 * gifts; then the page has the cursor to continue.
 *
 * @throws BestowError `cursor_invalid`; as `requireAdmitted`
 */
export function filterOrders(
  deps: Pick<Deps, 'database' | 'links'>,
  caller: Caller,
  request: OrderFilters & PageRequest,
): Promise<FilteredPage<OrderBody>> {
  return readOrders(deps, caller, request, (rows) => presentOrder(deps.links, caller, rows));
}

/** Returns as `filterOrders`, with the number and sum of all gifts instead of the gifts that exist. */
export function sumOrders(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  request: OrderFilters & PageRequest,
  addParts: (orders: OrderBody[]) => Promise<OrderBody[]>,
): Promise<FilteredPage<SummedOrder>> {
  return readOrders(deps, caller, request, async (rows) => {
    const sums = new Map(rows.map((row) => [encodeId('ord', row.order_id), row]));
    const orders = await addParts(presentOrder(noLinks, caller, rows));
    return orders.map(({ gifts, ...order }) => ({
      ...order,
      gift_count: gifts.length + (sums.get(order.order_id)?.pending_gift_count ?? 0),
      amount: sums.get(order.order_id)?.order_amount_cents ?? 0,
    }));
  });
}

function readOrders<Row extends { order_id: string }>(
  { database }: Pick<Deps, 'database'>,
  caller: Caller,
  request: OrderFilters & PageRequest,
  present: (rows: FilteredOrderRow[]) => Row[] | Promise<Row[]>,
): Promise<FilteredPage<Row>> {
  const { status, method, category, recipient, externalId, metadata, state, times } = request;
  const { list, maxScanned } = sourceOf(request);
  return readFilteredPage(request, {
    prefix: 'ord',
    idOf: ({ order_id }) => decodeId('ord', order_id) ?? '',
    async read(direction, range) {
      const rows = await list[direction](database.read, [
        ...parametersOf(caller),
        ...range,
        status === undefined ? null : status === 'processing',
        method ?? null,
        category ?? null,
        recipient ?? null,
        externalId ?? null,
        metadata === undefined ? null : JSON.stringify(metadata),
        maxScanned,
        state ?? null,
        boundsOf(times),
        statusOf(state) ?? null,
      ]);
      const [found] = rows;
      requireAdmitted(caller, found);
      return { found, rows: await present(rows.filter(isFound)) };
    },
  });
}

function sourceOf(filters: OrderFilters) {
  const { status, method, category, recipient, externalId, metadata, state } = filters;
  if (externalId !== undefined) return filteredOrders.named;
  if (status === 'processing') return filteredOrders.processing;
  if (recipient !== undefined) return filteredOrders.ofRecipient;
  if (metadata !== undefined) return filteredOrders.withMetadata;
  const time = timeOf(filters);
  if (time !== undefined) return filteredOrders.ofTime[time];
  if (state === 'waiting' || state === 'declined' || state === 'on_hold') return filteredOrders[state];
  const giftStatus = statusOf(state);
  if (giftStatus !== undefined && giftStatus !== 'sent') return filteredOrders.ofStatus;
  if (category !== undefined) return filteredOrders.ofCategory;
  return method !== undefined && method !== 'email' ? filteredOrders.ofMethod : filteredOrders.all;
}
