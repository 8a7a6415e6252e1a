import { type Static, type TSchema, Type } from 'typebox';
import { refTo } from '../../../platform/api/schema.ts';
import { type Language, languageTags } from '../../../platform/languages/languages.ts';
import { nextCursor } from '../../../platform/paging/page-query.ts';
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN, PHONE_PATTERN } from './address-patterns.ts';
import { giftExpansions } from './expansion-schema.ts';
import { shapesOf } from './field.ts';
import { giftFields } from './gift-fields.ts';
import { externalId, metadata } from './reference-schema.ts';

declare module '../../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** gift */
    gift: true;
  }
}

// The shapes of `/v1`. The order of fields is the order of their checks (docs/decisions.md#order-of-checks).

// One line of text: no control characters, line breaks or lone surrogates.
export const NAME_PATTERN = '^[^\\p{Cc}\\p{Cs}\\u2028\\u2029]+$';
export const PORTABLE_NAME_PATTERN = '^[^\\r\\n]+$';
// Lines of text. Lone carriage returns are control characters.
const MESSAGE_PATTERN = '^(?:[^\\p{Cc}\\p{Cs}\\u2028\\u2029]|\\r?\\n)+$';
const PORTABLE_MESSAGE_PATTERN = '^[^\\t]+$';

const email = Type.String({
  maxLength: EMAIL_MAX_LENGTH,
  pattern: EMAIL_PATTERN,
  'x-portable-pattern': '^[^@\\s]+@[^@\\s]+$',
  description: 'The recipient’s email address.',
  examples: ['delivered@sandbox.gift.test'],
  'x-rule': 'must be an email address such as name@example.com, of at most 254 characters',
});

const phone = Type.String({
  maxLength: 100,
  pattern: PHONE_PATTERN,
  'x-portable-pattern': '^\\+[0-9 \\(\\)\\-]+$',
  description:
    'The recipient’s number in international format; spaces, dashes and parentheses are accepted and it is stored in E.164.',
  examples: ['+1 (202) 555-0100'],
  'x-rule': 'must be a phone number in international format, such as +1 202 555 0100',
});

export const EmailDelivery = Type.Object(
  { method: Type.Literal('email'), email },
  { $id: 'EmailDelivery', description: 'The service sends the gift by email.', additionalProperties: false },
);

export const PhoneDelivery = Type.Object(
  { method: Type.Literal('phone'), phone },
  { $id: 'PhoneDelivery', description: 'The service sends the gift by text message.', additionalProperties: false },
);

export const LinkDelivery = Type.Object(
  { method: Type.Literal('link') },
  { $id: 'LinkDelivery', description: 'You hand the gift’s link out yourself.', additionalProperties: false },
);

/** Ajv's `discriminator` reports one error per fault, but needs `oneOf`; TypeBox's unions are `anyOf`. */
export function oneOfDeliveries<Value>($id: string, description: string, deliveries: readonly TSchema[]) {
  return Type.Unsafe<Value>({
    $id,
    description,
    type: 'object',
    required: ['method'],
    discriminator: { propertyName: 'method' },
    oneOf: deliveries.map(refTo),
  });
}

export type RedirectBody = Static<typeof EmailDelivery> | Static<typeof PhoneDelivery>;
export type DeliveryBody = RedirectBody | Static<typeof LinkDelivery>;

const DeliveryInput = oneOfDeliveries<DeliveryBody>(
  'DeliveryInput',
  'How the gift reaches its recipient: by email, by phone, or by a link that you hand out.',
  [EmailDelivery, PhoneDelivery, LinkDelivery],
);

export const RedirectInput = oneOfDeliveries<RedirectBody>(
  'RedirectInput',
  'The address that the gift is sent to instead. The method may change between email and phone.',
  [EmailDelivery, PhoneDelivery],
);

const name = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: NAME_PATTERN,
    'x-portable-pattern': PORTABLE_NAME_PATTERN,
    description,
    examples: [example],
    'x-rule': 'must be 1 to 200 characters without line breaks or control characters',
  });

export const recipientName = name('The recipient’s name; shown to them.', 'Ada');
const senderName = name('The sender’s name. Defaults to the organization’s name.', 'The Analytical Engine team');

/** Code points. */
export const LONGEST_MESSAGE = 500;

const message = Type.String({
  minLength: 1,
  maxLength: LONGEST_MESSAGE,
  pattern: MESSAGE_PATTERN,
  'x-portable-pattern': PORTABLE_MESSAGE_PATTERN,
  description:
    'What the sender writes to the recipient, as plain text with line breaks. No address in it becomes a link.',
  examples: ['Thank you for last week.\nEnjoy the coffee!'],
  'x-rule': 'must be 1 to 500 characters, without control characters except line breaks',
});

export const PersonalizationInput = Type.Object(
  {
    recipient_name: Type.Optional(recipientName),
    sender_name: Type.Optional(senderName),
    message: Type.Optional(message),
  },
  {
    $id: 'PersonalizationInput',
    description: 'Names and a message shown to the recipient.',
    additionalProperties: false,
  },
);

export const CancelInput = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: NAME_PATTERN,
        'x-portable-pattern': PORTABLE_NAME_PATTERN,
        description: 'Why it is canceled; not shown to the recipient.',
        examples: ['Ordered twice'],
        'x-rule': 'must be 1 to 200 characters without line breaks or control characters',
      }),
    ),
  },
  { $id: 'CancelInput', description: 'Why gifts are canceled.', additionalProperties: false },
);

const amount = Type.Integer({
  format: 'int64',
  minimum: 1000,
  maximum: 50000,
  description: 'The gift’s value in cents.',
  examples: [2500],
  'x-rule': 'must be a whole number of cents from 1000 to 50000',
});

const category = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: NAME_PATTERN,
  'x-portable-pattern': PORTABLE_NAME_PATTERN,
  description:
    'The id of a category, from `GET /v1/categories`. Of the category `any`, if the catalog has it, the recipient chooses another one.',
  examples: ['coffee'],
  'x-rule': 'must be the id of a category of the catalog',
});

export const giftLanguage = Type.Unsafe<Language>({
  type: 'string',
  enum: languageTags,
  description:
    'The language of the gift’s page, email and text messages. Defaults to the organization’s; then the page follows the recipient’s browser, and messages are in English. The recipient can choose another one on the page.',
  examples: ['de'],
  'x-rule': `must be one of ${languageTags.join(', ')}`,
});

export const sendAt = (description: string) =>
  Type.String({
    format: 'date-time',
    maxLength: 40,
    description,
    examples: ['2026-12-24T09:00:00+01:00'],
    'x-rule': 'must be a time with its zone, such as 2026-12-24T09:00:00+01:00',
  });

export const GiftInput = Type.Object(
  {
    amount,
    category,
    delivery: refTo(DeliveryInput),
    personalization: Type.Optional(refTo(PersonalizationInput)),
    language: Type.Optional(giftLanguage),
    external_id: Type.Optional(externalId('Several gifts may have the same.')),
    metadata: Type.Optional(metadata),
    send_at: Type.Optional(
      sendAt(
        'When the gift is sent, at most 366 days ahead (RFC 3339); without it, at once. The order is paid for now. A time up to five minutes past counts as now. Not for a link gift.',
      ),
    ),
  },
  { $id: 'GiftInput', description: 'A gift to buy and send.', additionalProperties: false },
);
export type GiftInputBody = Static<typeof GiftInput>;

export const ScheduleInput = Type.Object(
  {
    send_at: sendAt(
      'When the gift is sent instead, at most 366 days ahead (RFC 3339). A time that has come, up to five minutes past, sends it at once.',
    ),
  },
  { $id: 'ScheduleInput', description: 'When a gift that waits is sent.', additionalProperties: false },
);

export const Gift = Type.Object(
  { ...shapesOf(giftFields, 'api'), ...giftExpansions },
  { $id: 'Gift', description: 'A gift that was bought.' },
);
export type GiftBody = Static<typeof Gift>;

export const GiftList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(refTo(Gift), { description: 'Most recent purchase first.' }),
    has_more: Type.Boolean({ description: 'Whether more gifts follow in the direction of travel.' }),
    next_cursor: nextCursor,
  },
  { $id: 'GiftList', description: 'A page of gifts.' },
);
