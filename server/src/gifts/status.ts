export interface GiftState {
  /** Null for a link gift: the caller delivers it. */
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  opened_at: Date | null;
  claimed_at: Date | null;
}

export type GiftStatus = 'sent' | 'failed' | 'opened' | 'claimed';

/** Returns the shown status: the furthest state reached (docs/decisions.md#gift-status). */
export function giftStatus(gift: GiftState): GiftStatus {
  if (gift.claimed_at !== null) return 'claimed';
  if (gift.opened_at !== null) return 'opened';
  return gift.delivery_state === 'failed' ? 'failed' : 'sent';
}
