import { encodeId } from '../base/ids.ts';
import type { GiftSummary } from './portal-schema.ts';
import type { GiftSummaryRow } from './search-queries.ts';
import { giftStatus } from './status.ts';

export function summarizeGift(gift: GiftSummaryRow): GiftSummary {
  const status = giftStatus(gift);
  const { method, address, recipient_name, sender_name, created_at, opened_at, claimed_at } = gift;
  return {
    gift_id: encodeId('gift', gift.gift_id),
    order_id: encodeId('ord', gift.order_id),
    status,
    amount: gift.amount_cents,
    category: { id: gift.category_id, name: gift.category_name },
    ...{ method, address, recipient_name, sender_name, created_at, opened_at, claimed_at },
    failure_reason: status === 'failed' ? gift.reason : null,
  };
}
