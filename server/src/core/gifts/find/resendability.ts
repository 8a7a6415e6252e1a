import { ERASED_ADDRESS } from '../gift/address.ts';
import type { ResendRefusal } from '../gift/portal-schema.ts';
import type { GiftSummaryRow } from './search-queries.ts';

/** Why a gift cannot be sent again, or null. The portal counts it; `send-again.ts` enforces the same rule. */
export function resendRefusal(gift: GiftSummaryRow, resendLimit: number): ResendRefusal | null {
  if (gift.claimed_at !== null) return 'claimed';
  if (gift.canceled_at !== null) return 'canceled';
  if (gift.method === 'link') return 'link';
  if (gift.is_waiting) return 'scheduled';
  if (gift.held_by !== null) return 'on_hold';
  if (gift.address === null || gift.address === ERASED_ADDRESS) return 'erased';
  return gift.redirect_count >= resendLimit ? 'limit_reached' : null;
}
