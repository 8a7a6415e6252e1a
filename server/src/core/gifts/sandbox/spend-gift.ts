import type { Caller } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { findCard } from '../../cards/find-card.ts';
import { spendCard } from '../../cards/spend-card.ts';
import type { Deps } from '../../deps.ts';
import type { GiftRow } from '../gift/queries.ts';
import { requireGift } from '../gift/retrieve-gift.ts';
import { requireNotHeld } from '../hold/require-not-held.ts';

/**
 * Spends the rest of the gift's card in one purchase; does nothing if the card is empty.
 *
 * @throws BestowError `resource_missing`, `gift_canceled`, `gift_not_claimed`, `gift_on_hold`, `resource_locked`
 */
export async function spendGift(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  caller: Caller,
  giftId: string,
): Promise<GiftRow> {
  const gift = await requireGift(deps, caller, giftId);
  if (gift.canceled_at !== null) throw new BestowError('gift_canceled');
  const card = await findCard(deps, caller, giftId);
  if (card === undefined) throw new BestowError('gift_not_claimed');
  await requireNotHeld(deps, caller, giftId);
  await spendCard(deps, caller, card, { purchaseId: deps.ids.next(), amountCents: 'rest' });
  return gift;
}
