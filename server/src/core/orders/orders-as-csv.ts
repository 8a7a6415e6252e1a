import type { Caller } from '../../platform/authentication/caller.ts';
import type { ExportedList } from '../../platform/paging/export-list.ts';
import { invalid, readChoice } from '../../platform/paging/list-filters.ts';
import type { Deps } from '../deps.ts';
import { readExpand } from '../gifts/expand/expand-query.ts';
import { ifAny, readGiftFilters } from '../gifts/find/read-filters.ts';
import { giftStates } from '../gifts/gift/state.ts';
import { type OrderStatus, type SummedOrder, sumOrders } from './filter-orders.ts';
import { fieldsOfOrder } from './order-fields.ts';
import type { OrderBody } from './schema.ts';

export const orderStatuses: readonly OrderStatus[] = ['processing', 'processed'];

/** Returns undefined if there is no filter. @throws BestowError `parameter_invalid` */
export const readFiltersOfOrders = (query: Record<string, unknown>) =>
  ifAny({ ...readGiftFilters(query), status: readChoice(query, 'status', orderStatuses) });

const [first = 'order_id', ...fields] = fieldsOfOrder.flatMap(({ csv }) => csv ?? []);

const historyFields = [
  'history.currency',
  'history.ordered_by.kind',
  'history.ordered_by.id',
  'history.ordered_by.name',
  ...Object.keys(giftStates).map((state) => `history.gifts_by_state.${state}`),
];

/** Returns the matching orders as a file. @param addParts adds what the query asks for @throws BestowError `parameter_invalid` */
export function ordersAsCsv(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  query: Record<string, unknown>,
  addParts: (orders: OrderBody[]) => Promise<OrderBody[]> = async (orders) => orders,
): ExportedList<SummedOrder> {
  const filters = readFiltersOfOrders(query);
  const expand = readExpand(query);
  const other = [...expand].find((name) => name !== 'history');
  if (other !== undefined)
    throw invalid('expand', `A CSV file of orders has no gifts: ask for ${other} as JSON, or for the file of gifts.`);
  return {
    name: `orders-${caller.environment}`,
    prefix: 'ord',
    fields: [first, ...fields, ...(expand.has('history') ? historyFields : [])],
    range: { from: filters?.from, to: filters?.to },
    readPage: (request) => sumOrders(deps, caller, { ...filters, ...request }, addParts),
  };
}
