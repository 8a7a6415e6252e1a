import { decodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../paging/read-page.ts';
import type { OrderSummary } from './portal-schema.ts';
import { selectOrderExists } from './queries.ts';
import { type OrderSummaryRow, searchOrders as search, selectOrderSummary } from './search-queries.ts';
import { summarizeOrder } from './summarize-order.ts';

/** Filters of the portal's list of orders. */
export interface OrderSearch {
  /** Purchased at this time or later. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The id of an order, or a whole idempotency key. */
  query?: string | undefined;
}

/**
 * Returns a page of orders for the portal, newest first, including `processing` ones.
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
  const query = request.query?.trim() ?? '';
  if (query !== '') {
    const rows = await selectOrderSummary(pool, [...owner, decodeId('ord', query.toLowerCase()) ?? null, query]);
    const { from, to } = request;
    const found = rows
      .map(summarizeOrder)
      .filter(({ created_at }) => !(from && created_at < from) && !(to && created_at >= to));
    return { rows: found, older: null, newer: null, searched_to: null };
  }
  const page = await readSearchPage<OrderSummaryRow>(request, {
    prefix: 'ord',
    idOf: ({ order_id }) => order_id,
    exists: (orderId) => selectOrderExists(pool, [...owner, orderId]),
    read: (direction, { above, below }, limit) => search[direction](pool, [...owner, above, below, limit]),
  });
  return { ...page, rows: page.rows.map(summarizeOrder) };
}
