import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { type PageRequest, rangeOf, readSearchPage, type SearchPage } from '../../platform/paging/read-page.ts';
import type { Deps } from '../deps.ts';
import type { OrderSummary } from './portal-schema.ts';
import { selectOrderExists } from './read-queries.ts';
import {
  MAX_SCANNED,
  type OrderSummaryRow,
  scanOrders,
  searchOrders as search,
  searchOrderTexts,
  selectOrderSummary,
  totalOrders as selectTotal,
} from './search-queries.ts';
import { summarizeOrder } from './summarize-order.ts';

/** Filters of the portal's list of orders. */
export interface OrderSearch {
  /** Purchased at this time or later. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The id of an order, or a whole idempotency key; or part of an external id or of metadata, in any case. */
  query?: string | undefined;
  /** UUIDs of members: only what they sent; null or absent: what anyone sent. */
  senders?: readonly string[] | null | undefined;
}

/**
 * Returns a page of orders for the portal, newest first, including `processing` ones. A search of a text stops after 2,000
 * orders, and returns how far it came.
 *
 * @throws BestowError `cursor_invalid`
 */
export async function searchOrders(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  request: OrderSearch & PageRequest,
): Promise<SearchPage<OrderSummary>> {
  const { pool } = deps.database;
  const owner = [scope.organizationId, scope.environment] as const;
  const { senders = null } = request;
  const query = request.query?.trim() ?? '';
  if (query !== '') {
    const orderId = decodeId('ord', query.toLowerCase());
    const rows = await selectOrderSummary(pool, [...owner, orderId ?? null, query, senders]);
    if (orderId !== undefined || rows.length > 0) return onePage(rows.map(summarizeOrder), request);
  }
  const text = query;
  const page = await readSearchPage<OrderSummaryRow>(request, {
    prefix: 'ord',
    idOf: ({ order_id }) => order_id,
    exists: (orderId) => selectOrderExists(pool, [...owner, orderId]),
    read: (direction, { above, below }, limit) =>
      text === ''
        ? search[direction](pool, [...owner, above, below, limit, senders])
        : searchOrderTexts[direction](pool, [...owner, above, below, limit, text, MAX_SCANNED, senders]),
    scan:
      text === ''
        ? undefined
        : (direction, { above, below }) =>
            scanOrders[direction](pool, [...owner, above, below, MAX_SCANNED - 1, senders]),
  });
  return { ...page, rows: page.rows.map(summarizeOrder) };
}

/** Counts and sums the orders that the list shows on all its pages, as `totalGifts` does. */
export async function totalOrders(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  request: OrderSearch,
): Promise<{ count: number; amount: number; newest: number | null }> {
  const owner = [scope.organizationId, scope.environment] as const;
  const { senders = null } = request;
  const query = request.query?.trim() ?? '';
  const orderId = decodeId('ord', query.toLowerCase());
  const named =
    query === '' ? [] : await selectOrderSummary(deps.database.pool, [...owner, orderId ?? null, query, senders]);
  if (orderId !== undefined || named.length > 0) {
    const { rows } = onePage(named.map(summarizeOrder), request);
    return { count: rows.length, amount: rows.reduce((sum, { amount }) => sum + amount, 0), newest: null };
  }
  const { above, below } = rangeOf(request);
  const text = query === '' ? null : query;
  const [row] = await selectTotal(deps.database.pool, [...owner, above, below, MAX_SCANNED, text, senders]);
  const { scanned = 0, count = 0, amount_cents = 0 } = row ?? {};
  return { count, amount: amount_cents, newest: scanned === MAX_SCANNED ? scanned : null };
}

const onePage = (rows: OrderSummary[], { from, to }: OrderSearch): SearchPage<OrderSummary> => ({
  rows: rows.filter(({ created_at }) => !(from && created_at < from) && !(to && created_at >= to)),
  older: null,
  newer: null,
  searched_to: null,
});
