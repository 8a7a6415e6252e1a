import { findOrderEntry } from '../balances/find-order-entry.ts';
import type { ShownEntry } from '../balances/list-entries.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { listOrderGifts } from '../gifts/list-order-gifts.ts';
import type { GiftSummary } from '../gifts/summarize-gift.ts';
import { selectOrderSummary } from './search-queries.ts';
import { type OrderSummary, summarizeOrder } from './summarize-order.ts';

interface ShownOrder extends OrderSummary {
  /** When the pending gifts are created; null if all gifts exist. */
  completes_at: Date | null;
  pending_gift_count: number;
  gifts: GiftSummary[];
  entry: ShownEntry;
}

/** Returns one order with its gifts and its debit. @param orderId UUID @throws BestowError `resource_missing` */
export async function showOrder(deps: Pick<Deps, 'database'>, scope: Scope, orderId: string): Promise<ShownOrder> {
  const [[order], gifts, entry] = await Promise.all([
    selectOrderSummary(deps.database.pool, [scope.organizationId, scope.environment, orderId, null]),
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
