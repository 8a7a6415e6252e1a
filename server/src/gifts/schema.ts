import { type Static, Type } from 'typebox';
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN, PHONE_PATTERN } from './address-patterns.ts';

// The shapes of `/v1`. The order of fields is the order of their checks (docs/decisions.md#order-of-checks).

// One line of text: no control characters, line breaks or lone surrogates.
const NAME_PATTERN = '^[^\\p{Cc}\\p{Cs}\\u2028\\u2029]+$';

const email = Type.String({
  maxLength: EMAIL_MAX_LENGTH,
  pattern: EMAIL_PATTERN,
  description: 'The recipient’s email address.',
  examples: ['delivered@sandbox.gift.test'],
  'x-rule': 'must be an email address such as name@example.com, of at most 254 characters',
});

const phone = Type.String({
  maxLength: 100,
  pattern: PHONE_PATTERN,
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
function oneOfDeliveries<Value>($id: string, description: string, names: readonly string[]) {
  return Type.Unsafe<Value>({
    $id,
    description,
    type: 'object',
    required: ['method'],
    discriminator: { propertyName: 'method' },
    oneOf: names.map((name) => ({ $ref: `${name}#` })),
  });
}

export type RedirectBody = Static<typeof EmailDelivery> | Static<typeof PhoneDelivery>;
export type DeliveryBody = RedirectBody | Static<typeof LinkDelivery>;

export const NewDelivery = oneOfDeliveries<DeliveryBody>(
  'NewDelivery',
  'How the gift reaches its recipient: by email, by phone, or by a link that you hand out.',
  ['EmailDelivery', 'PhoneDelivery', 'LinkDelivery'],
);

export const Redirect = oneOfDeliveries<RedirectBody>(
  'Redirect',
  'The address that the gift is sent to instead. The method may change between email and phone.',
  ['EmailDelivery', 'PhoneDelivery'],
);

const name = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: NAME_PATTERN,
    description,
    examples: [example],
    'x-rule': 'must be 1 to 200 characters without line breaks or control characters',
  });

const recipientName = name('The recipient’s name; shown to them.', 'Ada');
const senderName = name('The sender’s name. Defaults to the organization’s name.', 'The Analytical Engine team');

export const NewPersonalization = Type.Object(
  { recipient_name: Type.Optional(recipientName), sender_name: Type.Optional(senderName) },
  { $id: 'NewPersonalization', description: 'Names shown to the recipient.', additionalProperties: false },
);

const amount = Type.Integer({
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
  description: 'The id of a category, from `GET /v1/categories`.',
  examples: ['coffee'],
  'x-rule': 'must be the id of a category of the catalog',
});

export const NewGift = Type.Object(
  {
    amount,
    category,
    delivery: Type.Unsafe<DeliveryBody>({ $ref: 'NewDelivery#' }),
    personalization: Type.Optional(Type.Unsafe<Static<typeof NewPersonalization>>({ $ref: 'NewPersonalization#' })),
  },
  { $id: 'NewGift', description: 'A gift to buy and send.', additionalProperties: false },
);
export type NewGiftBody = Static<typeof NewGift>;

export const GiftDelivery = Type.Object(
  {
    method: Type.Unsafe<'email' | 'phone' | 'link'>({
      type: 'string',
      enum: ['email', 'phone', 'link'],
      description: 'How the gift reaches its recipient.',
    }),
    status: Type.Unsafe<'sent' | 'failed' | 'opened' | 'claimed'>({
      type: 'string',
      enum: ['sent', 'failed', 'opened', 'claimed'],
      description:
        'The furthest state that the gift has reached: `sent` (on its way, delivered, or a link), `failed` (it could not be delivered; redirect it), `opened`, or `claimed` (redeemed onto a card, spent or not).',
    }),
    email: Type.Optional(Type.String({ description: 'The address it is sent to. Only with the method `email`.' })),
    phone: Type.Optional(
      Type.String({ description: 'The number it is sent to, in E.164. Only with the method `phone`.' }),
    ),
    link: Type.Optional(
      Type.String({
        description:
          'The redemption link. Only with the method `link`. A link is valid for 30 days, unless the operator has set another time. Retrieving a single gift renews an expired link; lists do not.',
      }),
    ),
  },
  {
    $id: 'GiftDelivery',
    description: 'The gift’s delivery method, address and status.',
    additionalProperties: false,
  },
);

export const GiftPersonalization = Type.Object(
  {
    sender_name: Type.String({ description: 'The sender’s name; always present.' }),
    recipient_name: Type.Optional(Type.String({ description: 'The recipient’s name, if it was given.' })),
  },
  { $id: 'GiftPersonalization', description: 'The names shown to the recipient.', additionalProperties: false },
);

export const Gift = Type.Object(
  {
    gift_id: Type.String({ description: 'Begins with `gift_`.', examples: ['gift_01k0fxw4mzejhtt6k1sqh3p5cg'] }),
    amount: Type.Integer({ description: 'The gift’s value in cents.', examples: [2500] }),
    category: Type.String({ description: 'The id of its category.', examples: ['coffee'] }),
    delivery: Type.Unsafe<Static<typeof GiftDelivery>>({ $ref: 'GiftDelivery#' }),
    personalization: Type.Unsafe<Static<typeof GiftPersonalization>>({ $ref: 'GiftPersonalization#' }),
  },
  { $id: 'Gift', description: 'A gift that was bought.', additionalProperties: false },
);
export type GiftBody = Static<typeof Gift>;

export const GiftList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Type.Unsafe<GiftBody>({ $ref: 'Gift#' }), { description: 'Most recent purchase first.' }),
    has_more: Type.Boolean({ description: 'Whether more gifts follow in the direction of travel.' }),
  },
  { $id: 'GiftList', description: 'A page of gifts.', additionalProperties: false },
);
