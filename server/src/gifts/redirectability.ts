import type { Redirectability } from './portal-schema.ts';
import { type GiftState, giftStatus } from './status.ts';

/** Whether a gift can be redirected, and why not. The portal shows it; `redirect-gift.ts` enforces the same rule. */
export function redirectability(
  gift: GiftState & { method: 'email' | 'phone' | 'link'; redirect_count: number },
  redirectLimit: number,
): Redirectability {
  const left = Math.max(0, redirectLimit - gift.redirect_count);
  const reason =
    gift.method === 'link'
      ? 'link'
      : giftStatus(gift) !== 'failed'
        ? 'not_failed'
        : left === 0
          ? 'limit_reached'
          : null;
  return { allowed: reason === null, reason, left };
}
