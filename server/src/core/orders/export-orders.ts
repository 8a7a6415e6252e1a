import type { Scope } from '../../platform/base/principal.ts';
import { readAllPages } from '../../platform/paging/read-all-pages.ts';
import type { Deps } from '../deps.ts';
import type { OrderSummary } from './portal-schema.ts';
import { type OrderSearch, searchOrders } from './search-orders.ts';

/** The columns of the portal's export; money in cents. */
export const orderExportColumns = [
  { key: 'order_id', header: 'Order' },
  { key: 'created_at', header: 'Ordered at (UTC)' },
  { key: 'status', header: 'Status' },
  { key: 'amount', header: 'Amount', isMoney: true },
  { key: 'gift_count', header: 'Gifts' },
  { key: 'idempotency_key', header: 'Idempotency key' },
  { key: 'key.name', header: 'API key' },
  { key: 'key.hint', header: 'API key hint' },
  { key: 'member.email', header: 'Attributed to' },
  { key: 'external_id', header: 'External id' },
  { key: 'metadata', header: 'Metadata (JSON)' },
] as const;

/** Yields every order that matches the search, newest first. */
export const exportOrders = (
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  search: OrderSearch,
): AsyncGenerator<OrderSummary, void> =>
  readAllPages(search, (request) => searchOrders(deps, scope, { ...search, ...request }));
