import { dateOf } from 'bestow-readers/time.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { presentGift, type Viewer } from '../gifts/gift/present-gift.ts';
import { presentReferences } from '../gifts/gift/present-references.ts';
import type { GiftRow } from '../gifts/gift/queries.ts';
import type { Links } from '../links/links.ts';
import type { EarlierOrder } from './placement.ts';
import type { OrderRecord } from './prepare-order.ts';
import type { OrderGiftRow } from './read-queries.ts';
import type { OrderBody } from './schema.ts';

/** @param organizationName the sender of gifts that name none */
export function presentPlacedOrder(
  links: Links,
  viewer: Viewer,
  record: OrderRecord,
  organizationName: string,
): OrderBody {
  return {
    order_id: encodeId('ord', record.order_id),
    status: record.completes_at === null ? 'processed' : 'processing',
    gifts: record.gifts.map((gift) =>
      presentGift(links, viewer, {
        ...gift,
        sender_name: gift.sender_name ?? organizationName,
        canceled_at: null,
        cancel_reason: null,
        scheduled_for: gift.scheduled_for ?? null,
        is_waiting: gift.is_waiting ?? null,
        chosen_category_id: null,
      }),
    ),
    ...presentReferences(record),
  };
}

export function presentEarlierOrder(
  links: Links,
  viewer: Viewer,
  { order_id, is_processing, gifts, external_id, metadata }: EarlierOrder,
): OrderBody {
  const dateOrNull = (time: string | null) => (time === null ? null : dateOf(time));
  return {
    order_id: encodeId('ord', order_id),
    status: is_processing ? 'processing' : 'processed',
    gifts: gifts.map((gift) =>
      presentGift(links, viewer, {
        ...gift,
        link_expires_at: dateOf(gift.link_expires_at),
        opened_at: dateOrNull(gift.opened_at),
        claimed_at: dateOrNull(gift.claimed_at),
        canceled_at: dateOrNull(gift.canceled_at),
        scheduled_for: dateOrNull(gift.scheduled_for),
      }),
    ),
    ...presentReferences({ external_id, metadata }),
  };
}

/** Groups rows of one gift each into orders, in row order. */
export function presentOrder(links: Links, viewer: Viewer, rows: readonly OrderGiftRow[]): OrderBody[] {
  const orders: OrderBody[] = [];
  let orderId: string | undefined;
  for (const row of rows) {
    if (row.order_id !== orderId) {
      orderId = row.order_id;
      const status = row.is_processing ? 'processing' : 'processed';
      const { order_external_id: external_id, order_metadata: metadata } = row;
      orders.push({
        order_id: encodeId('ord', orderId),
        status,
        gifts: [],
        ...presentReferences({ external_id, metadata }),
      });
    }
    if (hasGift(row)) orders.at(-1)?.gifts.push(presentGift(links, viewer, row));
  }
  return orders;
}

const hasGift = (row: OrderGiftRow): row is OrderGiftRow & GiftRow => row.gift_id !== null;
