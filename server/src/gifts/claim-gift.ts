import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import * as queries from './queries.ts';
import { requireGift } from './retrieve-gift.ts';

/**
 * Redeems the gift onto a card: exactly once, however many try at the same moment. A gift never opened is opened by it.
 *
 * The card is issued first, under an id that follows from the gift: where the issuer fails the gift stays unclaimed, and
 * a claim that was interrupted after it is completed by the next one with the same card.
 *
 * @throws BestowError `resource_missing`, `gift_already_redeemed`; and whatever the issuer throws
 */
export async function claimGift(
  deps: Pick<Deps, 'cards' | 'clock' | 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
): Promise<queries.GiftRow> {
  const scope = { organizationId, environment };
  const gift = await requireGift(deps, scope, giftId);
  if (gift.claimed_at !== null) throw new BestowError('gift_already_redeemed');
  // A gift has one card: its id serves both.
  const cardId = giftId;
  await deps.cards[environment].issue({ ...scope, giftId, cardId, valueCents: gift.amount_cents });
  const now = new Date(deps.clock.now());
  const [claimed] = await queries.claimGift(deps.database.read, [organizationId, environment, giftId, now, cardId]);
  if (claimed !== undefined) return claimed;
  await requireGift(deps, scope, giftId);
  throw new BestowError('gift_already_redeemed');
}
