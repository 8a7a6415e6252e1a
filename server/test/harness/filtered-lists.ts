import { boundsOf } from '../../src/core/gifts/find/statement-parts.ts';

const ofHistory = ['of_delivered', 'of_opened', 'of_claimed', 'of_status', 'waiting', 'declined', 'held'];
const ofBoth = [...ofHistory, 'named', 'of_recipient', 'with_metadata', 'of_category', 'of_method', 'all'];
const sourcesOfGifts = [...ofBoth, 'of_order'];
const sourcesOfOrders = [...ofBoth, 'processing'];

/**
 * Makes the parameters of every filtered list of `/v1`, which stops after some rows.
 *
 * @param range the caller, the range of ids and the limit
 */
export function filteredLists(
  range: readonly unknown[],
  orderId: string | undefined,
): Record<string, readonly unknown[]> {
  const times = boundsOf({ claimed_after: new Date('2026-11-01') });
  const metadata = '{"team": "unknown"}';
  const ofGifts = [...range, null, null, 'unknown', null, 'unknown', orderId, metadata, 100, 'spent', times];
  const ofOrders = [...range, false, null, 'unknown', null, null, metadata, 50, 'spent', times, 'claimed'];
  const filtered = ['descending', 'ascending'].flatMap((direction) => [
    ...sourcesOfGifts.map((name) => [`gifts.filter_${name}_${direction}`, ofGifts]),
    ...sourcesOfOrders.map((name) => [`orders.filter_${name}_${direction}`, ofOrders]),
  ]);
  return Object.fromEntries(filtered);
}
