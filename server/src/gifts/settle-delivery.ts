import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { type GiftRow, settleGiftDelivery } from './queries.ts';
import { requireGift } from './retrieve-gift.ts';
import { giftStatus } from './status.ts';

/**
 * Settles a pending delivery (decisions, «Gift status», sandbox `deliver`). One that failed may still turn out to have
 * arrived; failing it again changes nothing.
 *
 * @throws BestowError `resource_missing`, `gift_delivery_not_simulatable` (link), `gift_already_delivered`
 */
export async function settleDelivery(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  giftId: string,
  outcome: 'delivered' | 'failed',
): Promise<GiftRow> {
  const [settled] = await settleGiftDelivery(deps.database.read, [
    scope.organizationId,
    scope.environment,
    giftId,
    outcome,
    new Date(deps.clock.now()),
  ]);
  if (settled !== undefined) return settled;
  const gift = await requireGift(deps, scope, giftId);
  if (gift.method === 'link') throw new BestowError('gift_delivery_not_simulatable');
  if (outcome === 'failed' && giftStatus(gift) === 'failed') return gift;
  throw new BestowError('gift_already_delivered');
}
