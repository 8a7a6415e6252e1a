import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import { type GiftRow, settleGiftDelivery } from './queries.ts';
import { requireGift } from './retrieve-gift.ts';
import { giftStatus } from './status.ts';

/** Another attempt is needed only if the gift changes between two statements. */
const MAX_ATTEMPTS = 5;

/**
 * Settles a pending delivery. A failed delivery can still arrive; failing it again changes nothing. See
 * docs/decisions.md#gift-status.
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
  await requireUnlockedSandbox(deps, scope);
  const one = [scope.organizationId, scope.environment, giftId] as const;
  for (let attempt = 1; ; attempt += 1) {
    const now = new Date(deps.clock.now());
    const [settled] = await settleGiftDelivery(deps.database.change, [...one, outcome, now]);
    if (settled !== undefined) return settled;
    const gift = await requireGift(deps, scope, giftId);
    if (gift.method === 'link') throw new BestowError('gift_delivery_not_simulatable');
    const status = giftStatus(gift);
    if (outcome === 'failed' && status === 'failed') return gift;
    // The gift was redirected, or its delivery failed, between the two statements.
    const canBeSettled = status === 'failed' || (status === 'sent' && gift.delivery_state === 'pending');
    if (!canBeSettled || attempt === MAX_ATTEMPTS) throw new BestowError('gift_already_delivered');
  }
}
