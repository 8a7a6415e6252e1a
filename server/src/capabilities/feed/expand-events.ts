import type { Deps } from '../../core/deps.ts';
import { presentGift } from '../../core/gifts/gift/present-gift.ts';
import { requireGift } from '../../core/gifts/gift/retrieve-gift.ts';
import { retrieveOrder } from '../../core/orders/list-orders.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { EventRow } from './queries.ts';

/**
 * Reads the order or gift of each event as it is now, each once.
 *
 * @returns by id; null if a reset has deleted it since
 */
export async function readResources(
  deps: Pick<Deps, 'database' | 'links'>,
  caller: Caller,
  rows: readonly EventRow[],
): Promise<(row: EventRow) => object | null> {
  const reads = new Map<string, Promise<object | null>>();
  for (const row of rows) {
    const id = resourceOf(row);
    if (id === undefined || reads.has(id)) continue;
    const read = row.gift_id === null ? retrieveOrder(deps, caller, id) : giftOf(deps, caller, id);
    reads.set(id, read.catch(nullIfMissing));
  }
  const resources = new Map<string, object | null>();
  for (const [id, read] of reads) resources.set(id, await read);
  return (row) => resources.get(resourceOf(row) ?? '') ?? null;
}

const resourceOf = ({ gift_id, order_id }: EventRow) => gift_id ?? order_id ?? undefined;

const giftOf = async (deps: Pick<Deps, 'database' | 'links'>, caller: Caller, id: string) =>
  presentGift(deps.links, caller, await requireGift(deps, caller, id));

function nullIfMissing(error: unknown): null {
  if (error instanceof BestowError && error.code === 'resource_missing') return null;
  throw error;
}
