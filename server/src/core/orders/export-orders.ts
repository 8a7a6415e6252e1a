import type { Scope } from '../../platform/base/principal.ts';
import { readAllPages } from '../../platform/paging/read-all-pages.ts';
import type { Deps } from '../deps.ts';
import { fieldsOfOrder } from './order-fields.ts';
import type { OrderSummary } from './portal-schema.ts';
import { type OrderSearch, searchOrders } from './search-orders.ts';

/** The columns of the portal's export; money in cents. */
export const orderExportColumns = fieldsOfOrder.flatMap(({ file }) => file ?? []);

/** Yields every order that matches the search, newest first. */
export const exportOrders = (
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  search: OrderSearch,
): AsyncGenerator<OrderSummary, void> =>
  readAllPages(search, (request) => searchOrders(deps, scope, { ...search, ...request }));
