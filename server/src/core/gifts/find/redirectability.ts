import type { HeldBy } from '../gift/held.ts';
import type { Redirectability } from '../gift/portal-schema.ts';
import { giftStatus } from '../gift/present-gift.ts';
import type { GiftState } from '../gift/queries.ts';

/** Whether a gift can be redirected, and why not. The portal shows it; `redirect-gift.ts` enforces the same rule. */
export function redirectability(
  gift: GiftState & {
    canceled_at: Date | null;
    is_waiting: boolean | null;
    method: 'email' | 'phone' | 'link';
    redirect_count: number;
    held_by: HeldBy;
  },
  redirectLimit: number,
): Redirectability {
  const left = Math.max(0, redirectLimit - gift.redirect_count);
  const reason =
    gift.canceled_at !== null
      ? 'canceled'
      : gift.method === 'link'
        ? 'link'
        : giftStatus(gift) !== 'failed' && !gift.is_waiting
          ? 'not_failed'
          : gift.held_by !== null
            ? 'on_hold'
            : left === 0
              ? 'limit_reached'
              : null;
  return { allowed: reason === null, reason, left };
}
