import type { HeldBy } from '../gift/held.ts';
import type { GiftSimulations } from '../gift/portal-schema.ts';
import type { GiftState } from '../gift/queries.ts';

/** Whether each simulation would change the sandbox gift now: the rules of `settle-delivery.ts`, `open-gift.ts`, `claim-gift.ts` and `spend-gift.ts`. */
export function giftSimulations(
  gift: GiftState & {
    canceled_at: Date | null;
    is_waiting: boolean | null;
    amount_cents: number;
    spent_cents: number;
    held_by: HeldBy;
  },
): GiftSimulations {
  if (gift.canceled_at !== null || gift.is_waiting)
    return { deliver: false, fail: false, open: false, claim: false, spend: false };
  const isUnopened = gift.opened_at === null && gift.claimed_at === null;
  return {
    // A failed delivery can still arrive.
    deliver: isUnopened && (gift.delivery_state === 'pending' || gift.delivery_state === 'failed'),
    fail: isUnopened && gift.delivery_state === 'pending',
    open: gift.opened_at === null,
    claim: gift.claimed_at === null && gift.held_by === null,
    spend: gift.claimed_at !== null && gift.held_by === null && gift.spent_cents < gift.amount_cents,
  };
}
