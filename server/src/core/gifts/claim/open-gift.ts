import { type Caller, parametersOf } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import type { Deps } from '../../deps.ts';
import * as queries from '../gift/queries.ts';
import { foundGift, requireGift } from '../gift/retrieve-gift.ts';

/**
 * Stamps the gift as opened, once, and settles a pending delivery as delivered.
 *
 * @param linkVersion version of the link used; the gift is missing if it was redirected since
 * @throws BestowError `resource_missing`, `gift_canceled`, `gift_scheduled`, `resource_locked`
 */
export async function openGift(
  deps: Pick<Deps, 'clock' | 'database'>,
  caller: Caller,
  giftId: string,
  linkVersion?: number,
): Promise<queries.GiftRow> {
  const now = new Date(deps.clock.now());
  const opened = [...parametersOf(caller), giftId, now, linkVersion ?? null] as const;
  const gift = foundGift(caller, await queries.openGift(deps.database.change, [...opened]));
  if (gift !== undefined) return gift;
  const { canceled_at, is_waiting } = await requireGift(deps, caller, giftId);
  if (is_waiting) throw new BestowError('gift_scheduled');
  throw new BestowError(canceled_at === null ? 'resource_missing' : 'gift_canceled');
}
