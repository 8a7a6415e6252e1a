import { type Static, Type } from 'typebox';
import { Cents, nullable, oneOf, Time } from '../api/schema.ts';
import { EmailDelivery, PhoneDelivery, type RedirectBody } from './schema.ts';

/** Gifts as the portal shows them. */

export const GiftStatus = oneOf('sent', 'failed', 'opened', 'claimed');
export const GiftMethod = oneOf('email', 'phone', 'link');
const Channel = oneOf('email', 'phone');

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
export type GiftSummary = Static<typeof GiftSummary>;

const GiftDetail = Type.Object(
  { ...summary, link_expires_at: Time, spent_amount: Cents, spent_amount_not_listed: Cents },
  { $id: 'GiftDetail' },
);

const GiftDelivery = Type.Object(
  {
    kind: Type.Literal('delivery'),
    at: Time,
    number: Type.Integer({ description: 'Identifies the message within the gift, from 1.' }),
    channel: Channel,
    address: Type.String(),
    state: oneOf('pending', 'sent', 'delivered', 'failed'),
    tries: Type.Integer(),
    reason: nullable(Type.String()),
    provider: nullable(Type.String()),
    created_at: Time,
    sent_at: nullable(Time),
    settled_at: nullable(Time),
    is_latest: Type.Boolean({ description: 'Whether this message has the valid link.' }),
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

const Redirectability = Type.Object({
  allowed: Type.Boolean(),
  reason: nullable(oneOf('link', 'not_failed', 'limit_reached')),
  left: Type.Integer({ description: 'How many redirects are left.' }),
});
export type Redirectability = Static<typeof Redirectability>;

const GiftSimulations = Type.Object({
  deliver: Type.Boolean(),
  fail: Type.Boolean(),
  open: Type.Boolean(),
  claim: Type.Boolean(),
  spend: Type.Boolean(),
});
export type GiftSimulations = Static<typeof GiftSimulations>;

export const GiftHistory = Type.Object(
  {
    gift: GiftDetail,
    timeline: Type.Array(GiftEvent, { description: 'Oldest first.' }),
    redirect: Redirectability,
    simulations: nullable(GiftSimulations),
  },
  { $id: 'GiftHistory' },
);

export type GiftHistory = Static<typeof GiftHistory>;

export const GiftLink = Type.Object({ link: Type.String(), expires_at: Time });

export const GiftMessage = Type.Object(
  {
    channel: Channel,
    to: Type.String(),
    sender_name: Type.String(),
    subject: Type.String({ description: 'Empty for a text message.' }),
    text: Type.String(),
    has_letter: Type.Boolean({ description: 'Whether the message has an HTML version.' }),
  },
  { $id: 'GiftMessage' },
);

/** The new address of a gift, as in `/v1`. */
export const NewAddress = Type.Unsafe<RedirectBody>({
  $id: 'NewAddress',
  type: 'object',
  required: ['method'],
  discriminator: { propertyName: 'method' },
  oneOf: [EmailDelivery, PhoneDelivery].map(({ properties }) =>
    Type.Object(properties, { additionalProperties: false }),
  ),
});

export const GiftSimulation = oneOf('deliver', 'fail', 'open', 'claim', 'spend');

export const CategoryChoices = Type.Object({
  data: Type.Array(Type.Object({ category_id: Type.String(), name: Type.String(), is_retired: Type.Boolean() }), {
    description: 'In the catalog’s order.',
  }),
});
