import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireFreeSandbox } from '../sandbox/require-free-sandbox.ts';
import { type GiftRow, settleGiftDelivery } from './queries.ts';
import { requireGift } from './retrieve-gift.ts';
import { giftStatus } from './status.ts';

/** Each turn needs another change of the gift at just the wrong moment. */
const MAX_TURNS = 5;

/**
 * Settles a pending delivery (decisions, «Gift status», sandbox `deliver`). One that failed may still turn out to have
 * arrived; failing it again changes nothing.
 *
 * @throws BestowError `resource_missing`, `gift_delivery_not_simulatable` (link), `gift_already_delivered`,
 *   `resource_locked`
 */
export async function settleDelivery(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  giftId: string,
  outcome: 'delivered' | 'failed',
): Promise<GiftRow> {
  await requireFreeSandbox(deps, scope);
  const one = [scope.organizationId, scope.environment, giftId] as const;
  for (let turn = 1; ; turn += 1) {
    const now = new Date(deps.clock.now());
    const [settled] = await settleGiftDelivery(deps.database.change, [...one, outcome, now]);
    if (settled !== undefined) return settled;
    const gift = await requireGift(deps, scope, giftId);
    if (gift.method === 'link') throw new BestowError('gift_delivery_not_simulatable');
    const status = giftStatus(gift);
    if (outcome === 'failed' && status === 'failed') return gift;
    // It was redirected, or failed, between the two looks.
    const canBeSettled = status === 'failed' || (status === 'sent' && gift.delivery_state === 'pending');
    if (!canBeSettled || turn === MAX_TURNS) throw new BestowError('gift_already_delivered');
  }
}
