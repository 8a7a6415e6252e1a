import type { Deps } from '../../core/deps.ts';
import { answerGift } from '../../core/gifts/expand/answer-gift.ts';
import type { GiftExpansion } from '../../core/gifts/gift/expansion-schema.ts';
import { requireGift } from '../../core/gifts/gift/retrieve-gift.ts';
import { answerOrder } from '../../core/orders/expand-orders.ts';
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
  deps: ReadDeps,
  caller: Caller,
  rows: readonly EventRow[],
  parts: ReadonlySet<GiftExpansion>,
): Promise<(row: EventRow) => object | null> {
  const reads = new Map<string, Promise<object | null>>();
  for (const row of rows) {
    const id = resourceOf(row);
    if (id === undefined || reads.has(id)) continue;
    const read = row.gift_id === null ? orderOf(deps, caller, id, parts) : giftOf(deps, caller, id, parts);
    reads.set(id, read.catch(nullIfMissing));
  }
  const resources = new Map<string, object | null>();
  for (const [id, read] of reads) resources.set(id, await read);
  return (row) => resources.get(resourceOf(row) ?? '') ?? null;
}

const resourceOf = ({ gift_id, order_id }: EventRow) => gift_id ?? order_id ?? undefined;

type ReadDeps = Pick<Deps, 'config' | 'database' | 'issuers' | 'links'>;

const giftOf = async (deps: ReadDeps, caller: Caller, id: string, parts: ReadonlySet<GiftExpansion>) =>
  answerGift(deps, caller, parts, await requireGift(deps, caller, id));

const orderOf = async (deps: ReadDeps, caller: Caller, id: string, parts: ReadonlySet<GiftExpansion>) =>
  answerOrder(deps, caller, parts, await retrieveOrder(deps, caller, id));

function nullIfMissing(error: unknown): null {
  if (error instanceof BestowError && error.code === 'resource_missing') return null;
  throw error;
}
