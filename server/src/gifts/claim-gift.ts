import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireFreeSandbox } from '../sandbox/require-free-sandbox.ts';
import * as queries from './queries.ts';
import { requireGift } from './retrieve-gift.ts';

/**
 * Redeems the gift onto a card: exactly once, however many try at the same moment. A gift never opened is opened by it.
 *
 * The card is issued first, under an id that follows from the gift: where the issuer fails the gift stays unclaimed, and
 * a claim that was interrupted after it is completed by the next one with the same card.
 *
 * @param linkVersion of the link that claims it; a gift that was sent to another address since is missing
 * @throws BestowError `resource_missing`, `gift_already_redeemed`, `resource_locked`; and whatever the issuer throws
 */
export async function claimGift(
  deps: Pick<Deps, 'cards' | 'clock' | 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
  linkVersion?: number,
): Promise<queries.GiftRow> {
  const scope = { organizationId, environment };
  await requireFreeSandbox(deps, scope);
  const gift = await requireGift(deps, scope, giftId);
  if (gift.claimed_at !== null) throw new BestowError('gift_already_redeemed');
  // A gift has one card: its id serves both.
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
