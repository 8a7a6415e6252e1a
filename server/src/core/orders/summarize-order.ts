import { encodeId } from '../../platform/base/ids.ts';
import { showsOf } from '../gifts/gift/field.ts';
import { inOneOrder } from '../gifts/gift/present-references.ts';
import { fieldsOfOrder, type orderFields } from './order-fields.ts';
import type { OrderSummary } from './portal-schema.ts';
import type { OrderSummaryRow } from './search-queries.ts';

type Summarize = (order: OrderSummaryRow) => unknown;

/** The fields that are not a column as it is. */
const made: Partial<Record<keyof typeof orderFields, Summarize>> = {
  order_id: ({ order_id }) => encodeId('ord', order_id),
  status: ({ is_processing }) => (is_processing ? 'processing' : 'processed'),
  gift_count: ({ gift_count }) => gift_count,
  key: ({ key_id, key_name: name, key_hint: hint }) =>
    key_id === null ? null : { key_id: encodeId('key', key_id), name, hint },
  member: ({ member_id, member_email: email }) => ({ member_id: encodeId('mem', member_id), email }),
  external_id: ({ external_id }) => external_id ?? undefined,
  metadata: ({ metadata }) => inOneOrder(metadata),
};

const shown = showsOf<Summarize>(
  fieldsOfOrder,
  'portal',
  made,
  (column) => (order) => order[column as keyof OrderSummaryRow],
);

/** An order in the portal's lists; `undefined` leaves a field out. */
export const summarizeOrder = (order: OrderSummaryRow): OrderSummary =>
  Object.fromEntries(shown.map(({ name, show }) => [name, show(order)])) as OrderSummary;
