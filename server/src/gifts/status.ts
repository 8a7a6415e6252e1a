/** The columns that a gift's status derives from. */
export interface GiftState {
  /** null for a link gift: the service does not deliver it. */
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  opened_at: Date | null;
  claimed_at: Date | null;
}

export type GiftStatus = 'sent' | 'failed' | 'opened' | 'claimed';

/** The status shown: the furthest state reached, which never steps back (decisions, «Gift status»). */
export function giftStatus(gift: GiftState): GiftStatus {
  if (gift.claimed_at !== null) return 'claimed';
  if (gift.opened_at !== null) return 'opened';
  return gift.delivery_state === 'failed' ? 'failed' : 'sent';
}
