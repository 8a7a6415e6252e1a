import { type GiftState, giftStatus } from './status.ts';

/** Whether a gift may be sent to another address, and why not: the rule of `redirect-gift.ts`, for whoever looks on. */
export interface Redirectability {
  allowed: boolean;
  /** Null where it is allowed. `limit_reached`: it was redirected as often as it may be. */
  reason: 'link' | 'not_failed' | 'limit_reached' | null;
  /** How often it may still be redirected. */
  left: number;
}

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
