import { encodeId } from '../base/ids.ts';
import type { GiftSummaryRow } from './search-queries.ts';
import { type GiftStatus, giftStatus } from './status.ts';

/** A gift as the portal's lists show it. Amounts are cents. */
export interface GiftSummary {
  gift_id: string;
  order_id: string;
  status: GiftStatus;
  amount: number;
  category: { id: string; name: string };
  method: 'email' | 'phone' | 'link';
  address: string | null;
  recipient_name: string | null;
  sender_name: string;
  created_at: Date;
  opened_at: Date | null;
  claimed_at: Date | null;
  /** Why its delivery failed; null for other statuses or if unknown. */
  failure_reason: string | null;
}

export function summarizeGift(gift: GiftSummaryRow): GiftSummary {
  const status = giftStatus(gift);
  return {
    gift_id: encodeId('gift', gift.gift_id),
    order_id: encodeId('ord', gift.order_id),
    status,
    amount: gift.amount_cents,
    category: { id: gift.category_id, name: gift.category_name },
    method: gift.method,
    address: gift.address,
    recipient_name: gift.recipient_name,
    sender_name: gift.sender_name,
    created_at: gift.created_at,
    opened_at: gift.opened_at,
    claimed_at: gift.claimed_at,
    failure_reason: status === 'failed' ? gift.reason : null,
  };
}
