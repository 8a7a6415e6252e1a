import { Type } from 'typebox';
import { openText } from '../../../platform/api/schema.ts';

/** The parts of a gift of `/v1` that are made of several columns. */

export const GiftDelivery = Type.Object(
  {
    method: openText(['email', 'phone', 'link'], 'How the gift reaches its recipient.'),
    status: openText(
      ['sent', 'failed', 'opened', 'claimed'],
      'The furthest state that the gift has reached: `sent` (on its way, delivered, a link, or waiting for the time in `scheduled_for`), `failed` (it could not be delivered; redirect it), `opened`, or `claimed` (redeemed onto a card, spent or not).',
    ),
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
  },
);

export const GiftPersonalization = Type.Object(
  {
    sender_name: Type.Optional(Type.String({ description: 'The sender’s name; always present in a gift.' })),
    recipient_name: Type.Optional(Type.String({ description: 'The recipient’s name, if it was given.' })),
    message: Type.Optional(Type.String({ description: 'The sender’s message, if it was given.' })),
  },
  { $id: 'GiftPersonalization', description: 'The names and the message shown to the recipient.' },
);

export const GiftCancellation = Type.Object(
  {
    canceled_at: Type.String({ format: 'date-time', description: 'When the gift was canceled.' }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'The reason that was given; `expired` if the gift was not claimed in time.',
    }),
    refunded: Type.Integer({
      format: 'int64',
      description: 'The cents that returned to the balance.',
      examples: [2500],
    }),
  },
  { $id: 'GiftCancellation', description: 'That the gift is void, and what returned to the balance.' },
);
