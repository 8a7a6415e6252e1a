import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import * as queries from './queries.ts';
import { requireGift } from './retrieve-gift.ts';

/**
 * Redeems the gift onto a card, exactly once, and opens it if it was unopened.
 *
 * The card is issued first, with the gift's id. If the issuer fails, the gift stays unclaimed; if the claim is interrupted
 * after the issue, the next claim uses the same card.
 *
 * @param linkVersion version of the link used; the gift is missing if it was redirected since
 * @throws BestowError `resource_missing`, `gift_already_redeemed`, `resource_locked`; and the issuer's errors
 */
export async function claimGift(
  deps: Pick<Deps, 'cards' | 'clock' | 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
  linkVersion?: number,
): Promise<queries.GiftRow> {
  const scope = { organizationId, environment };
  await requireUnlockedSandbox(deps, scope);
  const gift = await requireGift(deps, scope, giftId);
  if (gift.claimed_at !== null) throw new BestowError('gift_already_redeemed');
  // A gift has one card, so both have the same id.
  const cardId = giftId;
  await deps.cards[environment].issue({ ...scope, giftId, cardId, valueCents: gift.amount_cents });
  const now = new Date(deps.clock.now());
  const one = [organizationId, environment, giftId] as const;
  const [claimed] = await queries.claimGift(deps.database.change, [...one, now, cardId, linkVersion ?? null]);
  if (claimed !== undefined) return claimed;
  const { link_version } = await requireGift(deps, scope, giftId);
  const isLinkOver = linkVersion !== undefined && linkVersion !== link_version;
  throw new BestowError(isLinkOver ? 'resource_missing' : 'gift_already_redeemed');
}
