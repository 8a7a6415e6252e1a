import { encodeId } from '../../platform/base/ids.ts';
import { columnsReadBy, showsOf } from '../gifts/gift/field.ts';
import { blankGift, giftFromJson } from '../gifts/gift/from-json.ts';
import { presentGift, type Viewer } from '../gifts/gift/present-gift.ts';
import { inOneOrder, type References } from '../gifts/gift/present-references.ts';
import type { GiftRow } from '../gifts/gift/queries.ts';
import type { GiftBody } from '../gifts/gift/schema.ts';
import type { Links } from '../links/links.ts';
import { fieldsOfOrder, type orderFields } from './order-fields.ts';
import type { EarlierOrder } from './placement.ts';
import type { OrderRecord } from './prepare-order.ts';
import type { OrderGiftRow } from './read-queries.ts';
import type { OrderBody } from './schema.ts';

/** An order's row, with the columns that `/v1` shows. */
interface OrderRow extends References {
  order_id: string;
  is_processing: boolean;
}

type Show = (order: OrderRow, gifts: GiftBody[]) => unknown;

/** The fields that are not a column as it is; undefined leaves one out. */
const made: Partial<Record<keyof typeof orderFields, Show>> = {
  order_id: ({ order_id }) => encodeId('ord', order_id),
  status: ({ is_processing }) => (is_processing ? 'processing' : 'processed'),
  gifts: (_, gifts) => gifts,
  metadata: ({ metadata }) => inOneOrder(metadata),
  history: () => undefined,
};

const shown = showsOf<Show>(
  fieldsOfOrder,
  'api',
  made,
  (column) => (order) => order[column as keyof OrderRow] ?? undefined,
);

function present(order: OrderRow, gifts: GiftBody[]): OrderBody {
  const body: Record<string, unknown> = {};
  for (const { name, show } of shown) {
    const value = show(order, gifts);
    if (value !== undefined) body[name] = value;
  }
  return body as OrderBody;
}

/** @param organizationName the sender of gifts that name none */
export const presentPlacedOrder = (links: Links, viewer: Viewer, record: OrderRecord, organizationName: string) =>
  present(
    { ...record, is_processing: record.completes_at !== null },
    record.gifts.map((gift) =>
      presentGift(links, viewer, { ...blankGift, ...gift, sender_name: gift.sender_name ?? organizationName }),
    ),
  );

export const presentEarlierOrder = (links: Links, viewer: Viewer, order: EarlierOrder) =>
  present(
    order,
    order.gifts.map((gift) => presentGift(links, viewer, giftFromJson(gift))),
  );

/** Groups rows of one gift each into orders, in row order. */
export function presentOrder(links: Links, viewer: Viewer, rows: readonly OrderGiftRow[]): OrderBody[] {
  const orders: OrderBody[] = [];
  let orderId: string | undefined;
  for (const row of rows) {
    if (row.order_id !== orderId) orders.push(present(orderOf(row), []));
    orderId = row.order_id;
    if (hasGift(row)) orders.at(-1)?.gifts.push(presentGift(links, viewer, row));
  }
  return orders;
}

const columns = columnsReadBy(fieldsOfOrder, 'api');
const orderOf = (row: OrderGiftRow): OrderRow => ({
  order_id: row.order_id,
  is_processing: row.is_processing,
  ...Object.fromEntries(columns.map((column) => [column, row[`order_${column}` as keyof OrderGiftRow]])),
});

const hasGift = (row: OrderGiftRow): row is OrderGiftRow & GiftRow => row.gift_id !== null;
