import type { GiftSimulations } from './portal-schema.ts';
import type { GiftState } from './status.ts';

/** Whether each simulation would change the sandbox gift now: the rules of `settle-delivery.ts`, `open-gift.ts`, `claim-gift.ts` and `spend-gift.ts`. */
export function giftSimulations(gift: GiftState & { amount_cents: number; spent_cents: number }): GiftSimulations {
  const isUnopened = gift.opened_at === null && gift.claimed_at === null;
  return {
    // A failed delivery can still arrive.
    deliver: isUnopened && (gift.delivery_state === 'pending' || gift.delivery_state === 'failed'),
    fail: isUnopened && gift.delivery_state === 'pending',
    open: gift.opened_at === null,
    claim: gift.claimed_at === null,
    spend: gift.claimed_at !== null && gift.spent_cents < gift.amount_cents,
  };
}
