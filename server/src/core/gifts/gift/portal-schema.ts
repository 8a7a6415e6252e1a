import { type Static, Type } from 'typebox';
import { ADDRESS_OF_PERSON, TEXT_OF_PERSON } from '../../../platform/api/mask-people.ts';
import { Cents, nullable, oneOf, Time } from '../../../platform/api/schema.ts';
import { DeliveryFailure, GiftHistory, GiftSpending, GiftMessage as PublicMessage } from './expansion-schema.ts';
import { shapesOf } from './field.ts';
import { giftFields } from './gift-fields.ts';
import {
  type DeliveryBody,
  EmailDelivery,
  GiftInput,
  LinkDelivery,
  PersonalizationInput,
  PhoneDelivery,
  type RedirectBody,
} from './schema.ts';
import { shownState } from './shown-state.ts';

/** Gifts as the portal shows them. */

const Channel = oneOf('email', 'phone');

const summary = shapesOf(giftFields, 'portal');
const details = shapesOf(giftFields, 'portalPage');

export const GiftSummary = Type.Object(summary, { $id: 'GiftSummary' });
export type GiftSummary = Static<typeof GiftSummary>;

const ResendRefusal = oneOf('claimed', 'canceled', 'link', 'scheduled', 'on_hold', 'erased', 'limit_reached');
export type ResendRefusal = Static<typeof ResendRefusal>;

export const GiftResend = Type.Object(
  {
    gift_id: Type.String(),
    recipient: nullable(Type.String({ ...TEXT_OF_PERSON, description: 'The name, else the address.' })),
    ...shownState,
    refusal: nullable(ResendRefusal),
  },
  { $id: 'GiftResend' },
);
export type GiftResend = Static<typeof GiftResend>;

export type GiftDetails = Static<ReturnType<typeof Type.Object<typeof details>>>;

const GiftDetail = Type.Object(
  {
    ...summary,
    ...details,
    spent_amount_not_listed: Cents,
    /** Until when another browser may take the card, once; null: none may. */
    card_reopened_until: nullable(Time),
  },
  { $id: 'GiftDetail' },
);

/** As in `/v1`. */
const failure = nullable(
  Type.Object({ ...DeliveryFailure.properties, provider_message: nullable(Type.String(TEXT_OF_PERSON)) }),
);

/** As in `/v1`. */
const History = Type.Object(
  {
    ...GiftHistory.properties,
    failure,
    spent: Type.Object(GiftSpending.properties),
    cancel_reason: nullable(Type.String(TEXT_OF_PERSON)),
  },
  { $id: 'GiftHistory' },
);

/** A row of the file of gifts. */
export const ExportedGift = Type.Object({ ...summary, history: History });
export type ExportedGift = Static<typeof ExportedGift>;

/** A message as in `/v1`. */
const GiftDelivery = Type.Object(
  {
    kind: Type.Literal('delivery'),
    at: Time,
    number: Type.Integer({ description: 'Identifies the message within the gift, from 1.' }),
    ...PublicMessage.properties,
    channel: Channel,
    address: nullable(Type.String(ADDRESS_OF_PERSON)),
    failure,
  },
  { $id: 'GiftDeliveryEvent' },
);

const GiftEvent = Type.Union(
  [
    Type.Object({ kind: Type.Literal('ordered'), at: Time }),
    GiftDelivery,
    Type.Object({ kind: Type.Literal('opened'), at: Time }),
    Type.Object({ kind: Type.Literal('claimed'), at: Time, card_id: Type.String() }),
    Type.Object({
      kind: Type.Literal('canceled'),
      at: Time,
      reason: nullable(Type.String(TEXT_OF_PERSON)),
      refunded: Cents,
    }),
    Type.Object({ kind: Type.Literal('declined'), at: Time }),
    Type.Object({ kind: Type.Literal('held'), at: Time }),
    Type.Object({ kind: Type.Literal('erased'), at: Time }),
    Type.Object({ kind: Type.Literal('spent'), at: Time, amount: Cents, merchant: Type.String() }),
    Type.Object({
      kind: Type.Literal('thanked'),
      at: Time,
      note: nullable(Type.String({ ...TEXT_OF_PERSON, description: 'Null: the recipient was erased.' })),
    }),
  ],
  { $id: 'GiftEvent' },
);

const Redirectability = Type.Object({
  allowed: Type.Boolean(),
  reason: nullable(oneOf('link', 'canceled', 'not_failed', 'on_hold', 'limit_reached')),
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

/** All that the page of a gift shows. */
export const GiftPage = Type.Object(
  {
    gift: GiftDetail,
    history: History,
    timeline: Type.Array(GiftEvent, { description: 'Oldest first.' }),
    redirect: Redirectability,
    resend_refusal: nullable(ResendRefusal),
    simulations: nullable(GiftSimulations),
  },
  { $id: 'GiftPage' },
);

export type GiftPage = Static<typeof GiftPage>;

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

/** An address as in `/v1`. */
export const AddressToSend = Type.Unsafe<RedirectBody>({
  type: 'object',
  required: ['method'],
  discriminator: { propertyName: 'method' },
  oneOf: [EmailDelivery, PhoneDelivery].map(({ properties }) =>
    Type.Object(properties, { additionalProperties: false }),
  ),
});

/** The new address of a gift. */
export const NewAddress = Type.Unsafe<RedirectBody>({ ...AddressToSend, $id: 'NewAddress' });

const closed = { additionalProperties: false } as const;

/** A gift to buy, as in `/v1`. */
export const GiftToSend = Type.Object(
  {
    amount: GiftInput.properties.amount,
    category: GiftInput.properties.category,
    delivery: Type.Unsafe<DeliveryBody>({
      type: 'object',
      required: ['method'],
      discriminator: { propertyName: 'method' },
      oneOf: [EmailDelivery, PhoneDelivery, LinkDelivery].map(({ properties }) => Type.Object(properties, closed)),
    }),
    personalization: Type.Optional(Type.Object(PersonalizationInput.properties, closed)),
    language: GiftInput.properties.language,
    send_at: GiftInput.properties.send_at,
  },
  { $id: 'GiftToSend', ...closed },
);

export const GiftSimulation = oneOf('deliver', 'fail', 'open', 'claim', 'spend');

export const CategoryChoices = Type.Object({
  data: Type.Array(Type.Object({ category_id: Type.String(), name: Type.String(), is_retired: Type.Boolean() }), {
    description: 'In the catalog’s order.',
  }),
});
