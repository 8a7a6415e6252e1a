import { Type } from 'typebox';
import { Cents, nullable, oneOf, openText, refTo, Time } from '../../platform/api/schema.ts';
import {
  type ColumnsReadBy,
  cents,
  column,
  type Field,
  id,
  listFields,
  text,
  textIfAny,
  time,
  timeIfAny,
} from '../gifts/gift/field.ts';
import { type Metadata, references } from '../gifts/gift/reference-schema.ts';
import { Gift } from '../gifts/gift/schema.ts';
import { OrderHistory } from './history-schema.ts';

/** Who reads a column: an order of `/v1`, the portal. */
type Reader = 'api' | 'portal';

const statuses = ['processing', 'processed'] as const;

/**
 * An order's fields, by their names in `/v1` and in the portal, in the order of answers and files. What a replay answers of an
 * order stands in the statement that places it, too.
 */
export const orderFields = {
  order_id: {
    of: id,
    readBy: ['portal'],
    api: Type.String({ description: 'Begins with `ord_`.', examples: ['ord_01k0fxw4mze6hv3tqx4d5s8r2n'] }),
    csv: ['order_id'],
    portal: Type.String(),
    file: [{ key: 'order_id', header: 'Order' }],
  },
  created_at: {
    of: time,
    readBy: ['portal'],
    csv: ['created_at'],
    portal: Time,
    file: [{ key: 'created_at', header: 'Ordered at (UTC)' }],
  },
  status: {
    api: openText(
      statuses,
      '`processed`: every gift exists. `processing`: paid for; the remaining gifts are created soon.',
    ),
    csv: ['status'],
    portal: oneOf(...statuses),
    file: [{ key: 'status', header: 'Status' }],
  },
  gifts: {
    api: Type.Array(refTo(Gift), {
      description: 'In submission order: the Nth gift returned is the Nth gift sent.',
    }),
  },
  gift_count: {
    csv: ['gift_count'],
    portal: Type.Integer({ description: 'Includes gifts that are not created yet.' }),
  },
  amount: {
    of: cents,
    column: 'amount_cents',
    readBy: ['portal'],
    csv: ['amount'],
    portal: Cents,
    file: [
      { key: 'amount', header: 'Amount', isMoney: true },
      { key: 'gift_count', header: 'Gifts' },
    ],
  },
  idempotency_key: {
    of: text,
    readBy: ['portal'],
    portal: Type.String(),
    file: [{ key: 'idempotency_key', header: 'Idempotency key' }],
  },
  key: {
    portal: nullable(
      Type.Object(
        { key_id: Type.String(), name: Type.String(), hint: Type.String() },
        { description: 'Null if a member ordered in the portal.' },
      ),
    ),
    file: [
      { key: 'key.name', header: 'API key' },
      { key: 'key.hint', header: 'API key hint' },
    ],
  },
  member: {
    portal: Type.Object(
      { member_id: Type.String(), email: Type.String() },
      { description: 'The member that the order is attributed to.' },
    ),
    file: [{ key: 'member.email', header: 'Attributed to' }],
  },
  external_id: {
    of: textIfAny,
    readBy: ['api', 'portal'],
    api: references.external_id,
    csv: ['external_id'],
    portal: references.external_id,
    file: [{ key: 'external_id', header: 'External id' }],
    person: 'theirs',
    isSearched: true,
  },
  metadata: {
    of: column<Metadata | null>('jsonb'),
    readBy: ['api', 'portal'],
    api: references.metadata,
    csv: ['metadata'],
    portal: references.metadata,
    file: [{ key: 'metadata', header: 'Metadata (JSON)' }],
    person: 'theirs',
    isSearched: true,
  },
  history: { api: Type.Optional(refTo(OrderHistory)) },
  completes_at: { of: timeIfAny, readBy: ['portal'], portalPage: nullable(Time) },
  pending_gift_count: { portalPage: Type.Integer({ description: 'Gifts that are not created yet.' }) },
} as const satisfies Record<string, Field<Reader>>;

export const fieldsOfOrder = listFields(orderFields);
export type OrderColumns<R extends Reader> = ColumnsReadBy<typeof orderFields, R>;

/** Columns of an order in the row of one of its gifts, named apart from the gift's. */
export type BesideGift<Columns> = { [K in keyof Columns & string as `order_${K}`]: Columns[K] };

/** SQL of columns of the order `o` beside those of a gift. */
export const besideGift = (columns: readonly string[]) =>
  columns.map((column) => `o.${column} as order_${column}`).join(', ');
