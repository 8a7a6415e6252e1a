import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { findOrderEntry } from '../balances/find-order-entry.ts';
import type { Deps } from '../deps.ts';
import { listOrderGifts } from '../gifts/find/list-order-gifts.ts';
import type { ShownOrder } from './portal-schema.ts';
import { selectOrderSummary } from './search-queries.ts';
import { summarizeOrder } from './summarize-order.ts';

export async function showOrder(deps: Pick<Deps, 'database'>, scope: Scope, orderId: string): Promise<ShownOrder> {
  const [[order], gifts, entry] = await Promise.all([
    selectOrderSummary(deps.database.pool, [scope.organizationId, scope.environment, orderId, null, null]),
    listOrderGifts(deps, scope, orderId),
    findOrderEntry(deps, scope, orderId),
  ]);
  if (order === undefined || entry === undefined) throw new BestowError('resource_missing');
  return {
    ...summarizeOrder(order),
    completes_at: order.completes_at,
    pending_gift_count: order.pending_gift_count,
    gifts,
    entry,
  };
}
