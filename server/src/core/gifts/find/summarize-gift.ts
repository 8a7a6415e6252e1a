import { encodeId } from '../../../platform/base/ids.ts';
import type { GiftSummary } from '../gift/portal-schema.ts';
import { giftStatus } from '../gift/present-gift.ts';
import { presentReferences } from '../gift/present-references.ts';
import type { GiftState } from '../gift/queries.ts';
import type { GiftSummaryRow } from './search-queries.ts';
import type { ShownStatus } from './statement-parts.ts';

/** The status in the portal's lists. */
export const shownStatusOf = (gift: GiftState & Pick<GiftSummaryRow, 'canceled_at' | 'is_waiting'>): ShownStatus =>
  gift.canceled_at !== null ? 'canceled' : gift.is_waiting ? 'scheduled' : giftStatus(gift);

/** What happened to the gift, for the portal. */
export const shownStateOf = (gift: StatedRow) => ({
  status: shownStatusOf(gift),
  state: gift.state,
  is_kept: gift.state === 'sent' && gift.is_kept,
});

type StatedRow = GiftState & Pick<GiftSummaryRow, 'canceled_at' | 'is_waiting' | 'state' | 'is_kept'>;

export function summarizeGift(gift: GiftSummaryRow): GiftSummary {
  const status = shownStatusOf(gift);
  const {
    method,
    address,
    recipient_name,
    sender_name,
    created_at,
    opened_at,
    claimed_at,
    held_by,
    canceled_at,
    cancel_reason,
    scheduled_for,
  } = gift;
  return {
    gift_id: encodeId('gift', gift.gift_id),
    order_id: encodeId('ord', gift.order_id),
    ...shownStateOf(gift),
    amount: gift.amount_cents,
    category: { id: gift.category_id, name: gift.category_name },
    chosen_category:
      gift.chosen_category_id === null ? null : { id: gift.chosen_category_id, name: gift.chosen_category_name ?? '' },
    method,
    address,
    recipient_name,
    sender_name,
    created_at,
    opened_at,
    claimed_at,
    held_by,
    canceled_at,
    cancel_reason,
    scheduled_for,
    failure_reason: status === 'failed' ? gift.reason : null,
    ...presentReferences(gift),
  };
}
