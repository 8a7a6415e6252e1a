import { type Caller, parametersOf } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import type { Deps } from '../../deps.ts';
import { giftStatus } from '../gift/present-gift.ts';
import { type GiftRow, settleGiftDelivery } from '../gift/queries.ts';
import { foundGift, requireGift } from '../gift/retrieve-gift.ts';

/** Another attempt is needed only if the gift changes between two statements. */
const MAX_ATTEMPTS = 5;

/**
 * Settles a pending delivery. A failed delivery can still arrive; failing it again changes nothing. See
 * docs/decisions.md#gift-status.
 *
 * @throws BestowError `resource_missing`, `gift_delivery_not_simulatable` (link), `gift_canceled`,
 *   `gift_scheduled`, `gift_already_delivered`, `resource_locked`
 */
export async function settleDelivery(
  deps: Pick<Deps, 'clock' | 'database'>,
  caller: Caller,
  giftId: string,
  outcome: 'delivered' | 'failed',
): Promise<GiftRow> {
  for (let attempt = 1; ; attempt += 1) {
    const now = new Date(deps.clock.now());
    const settlement = await settleGiftDelivery(deps.database.change, [...parametersOf(caller), giftId, outcome, now]);
    const settled = foundGift(caller, settlement);
    if (settled !== undefined) return settled;
    const gift = await requireGift(deps, caller, giftId);
    if (gift.canceled_at !== null) throw new BestowError('gift_canceled');
    if (gift.is_waiting) throw new BestowError('gift_scheduled');
    if (gift.method === 'link') throw new BestowError('gift_delivery_not_simulatable');
    const status = giftStatus(gift);
    if (outcome === 'failed' && status === 'failed') return gift;
    // The gift was redirected, or its delivery failed, between the two statements.
    const canBeSettled = status === 'failed' || (status === 'sent' && gift.delivery_state === 'pending');
    if (!canBeSettled || attempt === MAX_ATTEMPTS) throw new BestowError('gift_already_delivered');
  }
}
