import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging/read-page.ts';
import type { Deps } from '../deps.ts';
import { presentOrder } from './present-order.ts';
import { type FoundOrder, type OrderGiftRow, selectOrder, selectOrders } from './read-queries.ts';
import type { OrderBody } from './schema.ts';

type ReadDeps = Pick<Deps, 'database' | 'links'>;

/**
 * Returns a page of orders for `/v1`, most recent first, including `processing` ones.
 *
 * @throws BestowError `cursor_invalid`; as `requireAdmitted`
 */
export function listOrders(deps: ReadDeps, caller: Caller, request: PageRequest): Promise<Page<OrderBody>> {
  return readPage(request, {
    prefix: 'ord',
    idOf: ({ order_id }) => decodeId('ord', order_id) ?? '',
    async read(direction, first, limit) {
      const rows = await selectOrders[direction](deps.database.read, [...parametersOf(caller), first, limit]);
      requireAdmitted(caller, rows[0]);
      return presentOrder(deps.links, caller, rows.filter(isFound));
    },
  });
}

/** @throws BestowError `resource_missing`; as `requireAdmitted` */
export async function retrieveOrder(deps: ReadDeps, caller: Caller, orderId: string): Promise<OrderBody> {
  const rows = await selectOrder(deps.database.read, [...parametersOf(caller), orderId]);
  requireAdmitted(caller, rows[0]);
  const [order] = presentOrder(deps.links, caller, rows.filter(isFound));
  if (order === undefined) throw new BestowError('resource_missing');
  return order;
}

export const isFound = <Row extends FoundOrder>(row: Row): row is Row & OrderGiftRow => row.order_id !== null;
