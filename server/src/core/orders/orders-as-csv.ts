import type { Caller } from '../../platform/authentication/caller.ts';
import type { ExportedList } from '../../platform/paging/export-list.ts';
import { readChoice } from '../../platform/paging/list-filters.ts';
import type { Deps } from '../deps.ts';
import { ifAny, readGiftFilters } from '../gifts/find/read-filters.ts';
import { type OrderStatus, type SummedOrder, sumOrders } from './filter-orders.ts';

export const orderStatuses: readonly OrderStatus[] = ['processing', 'processed'];

/** Returns undefined if there is no filter. @throws BestowError `parameter_invalid` */
export const readFiltersOfOrders = (query: Record<string, unknown>) =>
  ifAny({ ...readGiftFilters(query), status: readChoice(query, 'status', orderStatuses) });

/** Returns the matching orders as a file. @throws BestowError `parameter_invalid` */
export function ordersAsCsv(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  query: Record<string, unknown>,
): ExportedList<SummedOrder> {
  const filters = readFiltersOfOrders(query);
  return {
    name: `orders-${caller.environment}`,
    prefix: 'ord',
    fields: ['order_id', 'created_at', 'status', 'gift_count', 'amount', 'external_id', 'metadata'],
    range: { from: filters?.from, to: filters?.to },
    readPage: (request) => sumOrders(deps, caller, { ...filters, ...request }),
  };
}
