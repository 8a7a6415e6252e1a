import type { Scope } from '../base/principal.ts';
import { findCard } from '../cards/find-card.ts';
import { spendCard } from '../cards/spend-card.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import type { GiftRow } from './queries.ts';
import { requireGift } from './retrieve-gift.ts';

/**
 * Spends the rest of the gift's card in one purchase; does nothing if the card is empty.
 *
 * @throws BestowError `resource_missing`, `gift_not_claimed`, `resource_locked`
 */
export async function spendGift(
  deps: Pick<Deps, 'cards' | 'clock' | 'database' | 'ids'>,
  scope: Scope,
  giftId: string,
): Promise<GiftRow> {
  await requireUnlockedSandbox(deps, scope);
  const gift = await requireGift(deps, scope, giftId);
  const card = await findCard(deps, scope, giftId);
  if (card === undefined) throw new BestowError('gift_not_claimed');
  await spendCard(deps, card, { purchaseId: deps.ids.next(), amountCents: 'rest' });
  return gift;
}
