import { encodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import { presentGift } from '../gifts/present-gift.ts';
import type { GiftRow } from '../gifts/queries.ts';
import type { Links } from '../redemption/links.ts';
import type { OrderRecord } from './order-record.ts';
import type { OrderGiftRow } from './queries.ts';
import type { OrderBody } from './schema.ts';

export function presentPlacedOrder(links: Links, scope: Scope, record: OrderRecord): OrderBody {
  return {
    order_id: encodeId('ord', record.order_id),
    status: record.completes_at === null ? 'processed' : 'processing',
    gifts: record.gifts.map((gift) => presentGift(links, scope, gift)),
  };
}

/** Groups rows of one gift each into orders, in row order. */
export function presentOrder(links: Links, scope: Scope, rows: readonly OrderGiftRow[]): OrderBody[] {
  const orders: OrderBody[] = [];
  let orderId: string | undefined;
  for (const row of rows) {
    if (row.order_id !== orderId) {
      orderId = row.order_id;
      const status = row.is_processing ? 'processing' : 'processed';
      orders.push({ order_id: encodeId('ord', orderId), status, gifts: [] });
    }
    if (hasGift(row)) orders.at(-1)?.gifts.push(presentGift(links, scope, row));
  }
  return orders;
}

const hasGift = (row: OrderGiftRow): row is OrderGiftRow & GiftRow => row.gift_id !== null;
