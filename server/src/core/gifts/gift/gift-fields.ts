import { Type } from 'typebox';
import { ADDRESS_OF_PERSON, TEXT_OF_PERSON } from '../../../platform/api/mask-people.ts';
import { Cents, nullable, oneOf, refTo, Time } from '../../../platform/api/schema.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import type { Language } from '../../../platform/languages/languages.ts';
import { GiftCancellation, GiftDelivery, GiftPersonalization } from './composed-schema.ts';
import {
  type ColumnsReadBy,
  cents,
  column,
  columnsReadBy,
  type Field,
  id,
  idIfAny,
  listFields,
  number,
  text,
  textIfAny,
  time,
  timeIfAny,
} from './field.ts';
import { type Metadata, references } from './reference-schema.ts';
import { CategoryName, GiftMethod, GiftStatus, shownState } from './shown-state.ts';

/**
 * Who reads a column: a gift of `/v1`; the portal's lists and, beside their columns, its page of a gift; the recipient's page;
 * a message to the recipient.
 */
type Reader = 'api' | 'list' | 'page' | 'recipient' | 'message';

/**
 * A gift's fields, by their names in `/v1` and in the portal, in the order of answers and files. What reads, shows, exports,
 * searches or erases a gift takes its fields from here.
 */
export const giftFields = {
  environment: { of: column<Environment>('environment'), person: 'sent' },
  gift_id: {
    of: id,
    readBy: ['api', 'list', 'recipient'],
    person: 'sent',
    placed: 'usual',
    api: Type.String({ description: 'Begins with `gift_`.', examples: ['gift_01k0fxw4mzejhtt6k1sqh3p5cg'] }),
    csv: ['gift_id'],
    portal: Type.String(),
    file: [{ key: 'gift_id', header: 'Gift' }],
  },
  order_id: {
    of: id,
    readBy: ['list'],
    person: 'sent',
    portal: Type.String(),
    file: [{ key: 'order_id', header: 'Order' }],
  },
  position: { of: number, placed: 'usual' },
  delivery_id: { of: idIfAny, placed: 'usual' },
  created_at: {
    of: time,
    readBy: ['list'],
    person: 'sent',
    csv: ['created_at'],
    portal: Time,
    file: [{ key: 'created_at', header: 'Ordered at (UTC)' }],
  },
  status: { portal: GiftStatus, file: [{ key: 'status', header: 'Status' }] },
  state: { portal: shownState.state },
  is_kept: { portal: shownState.is_kept },
  amount: {
    of: cents,
    column: 'amount_cents',
    readBy: ['api', 'list', 'recipient', 'message'],
    person: 'sent',
    placed: 'usual',
    api: Type.Integer({ format: 'int64', description: 'The gift’s value in cents.', examples: [2500] }),
    csv: ['amount'],
    portal: Cents,
    file: [{ key: 'amount', header: 'Amount', isMoney: true }],
  },
  category: {
    of: text,
    column: 'category_id',
    readBy: ['api', 'list', 'recipient'],
    person: 'sent',
    placed: 'usual',
    api: Type.String({ description: 'The id of its category.', examples: ['coffee'] }),
    csv: ['category'],
    portal: CategoryName,
    file: [
      { key: 'category.id', header: 'Category' },
      { key: 'category.name', header: 'Category name' },
    ],
  },
  chosen_category: {
    of: textIfAny,
    column: 'chosen_category_id',
    readBy: ['api', 'list', 'recipient'],
    person: 'theirs',
    api: Type.Optional(
      Type.String({ description: 'What the recipient chose for a gift of the category `any`, by its id.' }),
    ),
    portal: nullable(CategoryName),
  },
  method: {
    of: column<'email' | 'phone' | 'link'>('delivery_method'),
    readBy: ['api', 'list', 'recipient'],
    person: 'theirs',
    placed: 'usual',
    csv: ['delivery.method', 'delivery.status'],
    portal: GiftMethod,
    file: [{ key: 'method', header: 'Method' }],
  },
  /** Email address or E.164 number; null for a link gift. */
  address: {
    of: textIfAny,
    readBy: ['api', 'list', 'recipient'],
    placed: 'usual',
    csv: ['delivery.email', 'delivery.phone'],
    portal: nullable(Type.String(ADDRESS_OF_PERSON)),
    file: [{ key: 'address', header: 'Address' }],
  },
  delivery: { api: refTo(GiftDelivery) },
  recipient_name: {
    of: textIfAny,
    readBy: ['api', 'list', 'recipient', 'message'],
    person: 'sent',
    placed: 'usual',
    csv: ['personalization.recipient_name'],
    portal: nullable(Type.String(TEXT_OF_PERSON)),
    file: [{ key: 'recipient_name', header: 'Recipient' }],
    isSearched: true,
    isErased: true,
  },
  sender_name: {
    of: text,
    readBy: ['api', 'list', 'recipient', 'message'],
    person: 'sent',
    csv: ['personalization.sender_name'],
    portal: Type.String(),
    file: [{ key: 'sender_name', header: 'Sender' }],
  },
  message: {
    of: textIfAny,
    readBy: ['api', 'page', 'recipient', 'message'],
    person: 'theirs',
    placed: 'usual',
    portalPage: nullable(Type.String(TEXT_OF_PERSON)),
    isErased: true,
  },
  personalization: { api: Type.Optional(refTo(GiftPersonalization)) },
  /** The sender's wish. */
  language: {
    of: column<Language | null>('text'),
    readBy: ['api', 'page', 'recipient', 'message'],
    placed: 'usual',
    api: Type.Optional(Type.String({ description: 'The language that the sender chose, if any.', examples: ['de'] })),
    portalPage: nullable(Type.String()),
    isErased: true,
  },
  /** Of the latest message; null for a link gift: the caller delivers it. */
  delivery_state: {
    of: column<'pending' | 'delivered' | 'failed' | null>('delivery_state'),
    readBy: ['api', 'list', 'recipient'],
    placed: 'state',
  },
  link_version: { of: number, readBy: ['api', 'recipient'], placed: 'any' },
  link_expires_at: { of: time, readBy: ['api', 'page'], placed: 'any', portalPage: Time },
  opened_at: {
    of: timeIfAny,
    readBy: ['api', 'list', 'recipient'],
    person: 'theirs',
    placed: 'state',
    portal: nullable(Time),
    file: [{ key: 'opened_at', header: 'Opened at (UTC)' }],
  },
  claimed_at: {
    of: timeIfAny,
    readBy: ['api', 'list', 'recipient'],
    person: 'theirs',
    placed: 'state',
    portal: nullable(Time),
    file: [{ key: 'claimed_at', header: 'Claimed at (UTC)' }],
  },
  /** What it was claimed onto. */
  card_id: { of: idIfAny, readBy: ['page', 'recipient'], placed: 'state' },
  spent: { of: cents, column: 'spent_cents', readBy: ['page', 'recipient'], person: 'theirs', placed: 'state' },
  held_by: { portal: nullable(oneOf('gift', 'organization')) },
  failure_reason: {
    portal: nullable(Type.String(TEXT_OF_PERSON)),
    file: [{ key: 'failure_reason', header: 'Why it failed' }],
  },
  external_id: {
    of: textIfAny,
    readBy: ['api', 'list'],
    person: 'theirs',
    placed: 'usual',
    api: references.external_id,
    csv: ['external_id'],
    portal: references.external_id,
    file: [{ key: 'external_id', header: 'External id' }],
    isSearched: true,
  },
  metadata: {
    of: column<Metadata | null>('jsonb'),
    readBy: ['api', 'list'],
    person: 'theirs',
    placed: 'usual',
    api: references.metadata,
    csv: ['metadata'],
    portal: references.metadata,
    file: [{ key: 'metadata', header: 'Metadata (JSON)' }],
    isSearched: true,
    isErased: true,
  },
  canceled_at: {
    of: timeIfAny,
    readBy: ['api', 'list', 'recipient'],
    person: 'theirs',
    csv: ['cancellation.canceled_at'],
    portal: nullable(Time),
  },
  cancel_reason: {
    of: textIfAny,
    readBy: ['api', 'list'],
    person: 'theirs',
    csv: ['cancellation.reason', 'cancellation.refunded'],
    portal: nullable(Type.String(TEXT_OF_PERSON)),
  },
  /** Null unless its order, or a change, named a time. */
  scheduled_for: {
    of: timeIfAny,
    readBy: ['api', 'list'],
    person: 'theirs',
    placed: 'any',
    api: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the gift is or was sent, if its order or a change said so.',
      }),
    ),
    csv: ['scheduled_for'],
    portal: nullable(Time),
    file: [{ key: 'scheduled_for', header: 'Scheduled for (UTC)' }],
  },
  /** True until a scheduled gift is sent, canceled or erased; else null. */
  is_waiting: { of: column<boolean | null>('boolean'), readBy: ['api', 'list'], placed: 'state' },
  cancellation: { api: Type.Optional(refTo(GiftCancellation)) },
  redirect_count: { of: number, readBy: ['list'] },
  expires_at: { of: timeIfAny, readBy: ['recipient', 'message'], person: 'theirs' },
  /** The recipient's note to the sender; null after an erasure. */
  thanks: { of: textIfAny, readBy: ['page', 'recipient'], person: 'theirs' },
  thanked_at: { of: timeIfAny, readBy: ['page', 'recipient'], person: 'theirs' },
  /** When the recipient said that they do not want it. */
  declined_at: { of: timeIfAny, readBy: ['recipient'], person: 'theirs' },
} as const satisfies Record<string, Field<Reader>>;

export const fieldsOfGift = listFields(giftFields);
/** SQL of the columns of the gift `g` that a reader takes. */
export const giftColumnsOf = (reader: Reader) =>
  columnsReadBy(fieldsOfGift, reader)
    .map((name) => `g.${name}`)
    .join(', ');
export type GiftColumns<R extends Reader> = ColumnsReadBy<typeof giftFields, R>;
