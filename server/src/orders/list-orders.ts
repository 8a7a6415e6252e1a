import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { type Page, type PageRequest, readPage } from '../paging/read-page.ts';
import { presentOrder } from './present-order.ts';
import { selectOrder, selectOrderExists, selectOrdersAscending, selectOrdersDescending } from './queries.ts';
import type { OrderBody } from './schema.ts';

type ReadDeps = Pick<Deps, 'database' | 'links'>;

/**
 * Returns a page of orders for `/v1`, most recent first, including `processing` ones.
 *
 * @throws BestowError `cursor_invalid`
 */
export function listOrders(deps: ReadDeps, scope: Scope, request: PageRequest): Promise<Page<OrderBody>> {
  const { read } = deps.database;
  const owner = [scope.organizationId, scope.environment] as const;
  return readPage(request, {
    prefix: 'ord',
    exists: (orderId) => selectOrderExists(read, [...owner, orderId]),
    read: async (direction, { above, below }, limit) => {
      const rows =
        direction === 'descending'
          ? await selectOrdersDescending(read, [...owner, below, limit])
          : await selectOrdersAscending(read, [...owner, above, limit]);
      return presentOrder(deps.links, scope, rows);
    },
  });
}

/** @throws BestowError `resource_missing` */
export async function retrieveOrder(deps: ReadDeps, scope: Scope, orderId: string): Promise<OrderBody> {
  const rows = await selectOrder(deps.database.read, [scope.organizationId, scope.environment, orderId]);
  const [order] = presentOrder(deps.links, scope, rows);
  if (order === undefined) throw new BestowError('resource_missing');
  return order;
}
