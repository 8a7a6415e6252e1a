import { Type } from 'typebox';
import { Cents, nullable, Time } from '../api/schema.ts';
import { EmailDelivery, PhoneDelivery, type RedirectBody } from '../gifts/schema.ts';
import { periodQuery } from './list-schema.ts';

/** How gifts are shown in the portal; the acts of gifts/ say what each field means. */

const GiftStatus = Type.Union([
  Type.Literal('sent'),
  Type.Literal('failed'),
  Type.Literal('opened'),
  Type.Literal('claimed'),
]);

const GiftMethod = Type.Union([Type.Literal('email'), Type.Literal('phone'), Type.Literal('link')]);
const Channel = Type.Union([Type.Literal('email'), Type.Literal('phone')]);

const summary = {
  gift_id: Type.String(),
  order_id: Type.String(),
  status: GiftStatus,
  amount: Cents,
  category: Type.Object({ id: Type.String(), name: Type.String() }),
  method: GiftMethod,
  address: nullable(Type.String()),
  recipient_name: nullable(Type.String()),
  sender_name: Type.String(),
  created_at: Time,
  opened_at: nullable(Time),
  claimed_at: nullable(Time),
  failure_reason: nullable(Type.String()),
};

export const GiftSummary = Type.Object(summary, { $id: 'GiftSummary' });

const GiftDetail = Type.Object(
  { ...summary, link_expires_at: Time, spent_amount: Cents, spent_amount_not_listed: Cents },
  { $id: 'GiftDetail' },
);

const GiftDelivery = Type.Object(
  {
    kind: Type.Literal('delivery'),
    at: Time,
    number: Type.Integer({ description: 'Of the gift’s messages, from 1 on; it names the message.' }),
    channel: Channel,
    address: Type.String(),
    state: Type.Union([
      Type.Literal('pending'),
      Type.Literal('sent'),
      Type.Literal('delivered'),
      Type.Literal('failed'),
    ]),
    tries: Type.Integer(),
    reason: nullable(Type.String()),
    provider: nullable(Type.String()),
    created_at: Time,
    sent_at: nullable(Time),
    settled_at: nullable(Time),
    is_latest: Type.Boolean({ description: 'Whether its link is the one that opens the gift.' }),
  },
  { $id: 'GiftDeliveryEvent' },
);

const GiftEvent = Type.Union(
  [
    Type.Object({ kind: Type.Literal('ordered'), at: Time }),
    GiftDelivery,
    Type.Object({ kind: Type.Literal('opened'), at: Time }),
    Type.Object({ kind: Type.Literal('claimed'), at: Time, card_id: Type.String() }),
    Type.Object({ kind: Type.Literal('spent'), at: Time, amount: Cents, merchant: Type.String() }),
  ],
  { $id: 'GiftEvent' },
);

export const GiftHistory = Type.Object(
  {
    gift: GiftDetail,
    timeline: Type.Array(GiftEvent, { description: 'The earliest first.' }),
    redirect: Type.Object({
      allowed: Type.Boolean(),
      reason: nullable(Type.Union([Type.Literal('link'), Type.Literal('not_failed'), Type.Literal('limit_reached')])),
      left: Type.Integer({ description: 'How often it may still be sent to another address.' }),
    }),
    simulations: nullable(
      Type.Object({
        deliver: Type.Boolean(),
        fail: Type.Boolean(),
        open: Type.Boolean(),
        claim: Type.Boolean(),
        spend: Type.Boolean(),
      }),
    ),
  },
  { $id: 'GiftHistory' },
);

export const GiftLink = Type.Object({ link: Type.String(), expires_at: Time });

export const GiftMessage = Type.Object(
  {
    channel: Channel,
    to: Type.String(),
    sender_name: Type.String(),
    subject: Type.String({ description: 'Empty for a text message.' }),
    text: Type.String(),
    has_letter: Type.Boolean({ description: 'Whether it is a letter too: an email as mail programs show it.' }),
  },
  { $id: 'GiftMessage' },
);

/** Where a gift is sent instead; the same as `/v1` takes. */
export const NewAddress = Type.Unsafe<RedirectBody>({
  $id: 'NewAddress',
  type: 'object',
  required: ['method'],
  discriminator: { propertyName: 'method' },
  oneOf: [EmailDelivery, PhoneDelivery].map(({ properties }) =>
    Type.Object(properties, { additionalProperties: false }),
  ),
});

export const GiftSimulation = Type.Union([
  Type.Literal('deliver'),
  Type.Literal('fail'),
  Type.Literal('open'),
  Type.Literal('claim'),
  Type.Literal('spend'),
]);

export const CategoryChoices = Type.Object({
  data: Type.Array(Type.Object({ category_id: Type.String(), name: Type.String(), is_retired: Type.Boolean() }), {
    description: 'In the catalog’s order.',
  }),
});

/** What gifts a list or an export is about. */
export const giftFilters = {
  query: Type.Optional(
    Type.String({ description: 'An id, the beginning of an address, digits of a number, or a part of a name.' }),
  ),
  status: Type.Optional(GiftStatus),
  method: Type.Optional(GiftMethod),
  category: Type.Optional(Type.String({ description: 'A category’s id.' })),
  ...periodQuery,
};
