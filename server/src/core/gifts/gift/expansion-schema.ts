import { type Static, Type } from 'typebox';
import { nullable, openText, refTo } from '../../../platform/api/schema.ts';
import { failureReasons } from '../../../platform/messaging/failure-meaning.ts';
import { references } from './reference-schema.ts';
import { type GiftHistoryState, giftStates } from './state.ts';

const time = (description: string) =>
  nullable(Type.Unsafe<string>({ type: 'string', format: 'date-time', description }));
const cents = (description: string) => Type.Integer({ format: 'int64', description, examples: [2500] });

const stateWords = Object.entries(giftStates).map(([state, meaning]) => `\`${state}\`: ${meaning}`);

/** The state of a gift, for documents. */
const HistoryState = openText(
  Object.keys(giftStates) as GiftHistoryState[],
  `What happened to the gift, in one word. ${stateWords.join('. ')}.`,
);

export const DeliveryFailure = Type.Object(
  {
    reason: openText(failureReasons, 'Why, in one word.'),
    retryable: Type.Boolean({ description: 'Whether the same address may work later.' }),
    provider_message: nullable(
      Type.String({
        description:
          'The words of the provider or mail server, without the address; null if it said nothing, as in the sandbox.',
      }),
    ),
  },
  { $id: 'DeliveryFailure', description: 'Why a message could not be delivered.' },
);
const failure = nullable(refTo(DeliveryFailure));

export const GiftSpending = Type.Object(
  {
    amount: cents('The cents that are spent, less what shops gave back.'),
    last_at: time('When the card last paid.'),
  },
  { $id: 'GiftSpending', description: 'What was spent of the gift’s card.' },
);

export const GiftHistory = Type.Object(
  {
    state: HistoryState,
    ordered_at: Type.String({ format: 'date-time', description: 'When it was ordered and paid for.' }),
    scheduled_for: time('When it is or was sent, if its order or a change said so.'),
    sent_at: time('When a provider accepted the latest message, or the link was handed to you.'),
    delivered_at: time('When a message last arrived. Opening the gift proves it, unless the message had failed.'),
    failed_at: time(
      'When the latest message failed for good, or the recipient was erased before the gift was claimed.',
    ),
    failure,
    opened_at: time('When the recipient first opened it.'),
    claimed_at: time('When it was redeemed onto a card.'),
    spent: refTo(GiftSpending),
    declined_at: time('When the recipient said that they do not want it.'),
    canceled_at: time('When it became void, canceled or expired.'),
    cancel_reason: nullable(Type.String({ description: 'The reason that was given; `expired` if its time was over.' })),
    refunded: cents('The cents that returned to the balance; 0 unless it is void.'),
    expires_at: time('When it becomes void unless it is claimed.'),
    held_since: time('Since when it is on hold, by itself or with all gifts of the organization.'),
    erased_at: time('When the address of the recipient was erased.'),
  },
  { $id: 'GiftHistory', description: 'What happened to a gift, and when. A time is null until it happened.' },
);
export type GiftHistoryBody = Static<typeof GiftHistory>;

export const GiftMessage = Type.Object(
  {
    channel: openText(['email', 'phone'], 'How it was sent.'),
    address: nullable(Type.String({ description: 'Where it was sent; null if the recipient was erased.' })),
    provider: nullable(
      Type.String({
        description: 'What accepted it, such as `smtp` or `twilio`; `outbox`: kept, as none is configured.',
      }),
    ),
    tries: Type.Integer({ format: 'int64', description: 'How often it was handed to a provider.' }),
    state: openText(['sending', 'sent', 'delivered', 'failed'], 'How far it came.'),
    created_at: Type.String({ format: 'date-time', description: 'When it was written.' }),
    sent_at: time('When a provider accepted it.'),
    delivered_at: time('When it arrived.'),
    failed_at: time('When it failed for good.'),
    failure,
    reminder_day: nullable(Type.Integer({ format: 'int64', description: 'Of a reminder: days after the order.' })),
  },
  { $id: 'GiftMessage', description: 'A message about a gift.' },
);
export type GiftMessageBody = Static<typeof GiftMessage>;

const GiftOrder = Type.Object(
  {
    order_id: Type.String({ description: 'Begins with `ord_`.', examples: ['ord_01k0fxw4mze6hv3tqx4d5s8r2n'] }),
    external_id: references.external_id,
  },
  { $id: 'GiftOrder', description: 'The order of a gift.' },
);
export type GiftOrderBody = Static<typeof GiftOrder>;

const GiftCard = Type.Object(
  {
    kind: openText(['card', 'code', 'link'], 'A payment card, a code of a shop, or a link to what the issuer offers.'),
    category: Type.String({
      description: 'The id of the category that it is for, chosen by the recipient or the sender.',
    }),
    left: cents('The cents that are left on it.'),
  },
  { $id: 'GiftCard', description: 'The card of a claimed gift, without its number or code.' },
);
export type GiftCardBody = Static<typeof GiftCard>;

const asked = (name: string) => `Only with \`expand=${name}\`.`;

/** What a gift has only if the request asks for it. */
export const giftExpansions = {
  order: Type.Optional(refTo(GiftOrder)),
  history: Type.Optional(refTo(GiftHistory)),
  deliveries: Type.Optional(
    Type.Array(refTo(GiftMessage), {
      description: `The latest 50 messages about it, oldest first. ${asked('deliveries')}`,
    }),
  ),
  card: Type.Optional(nullable(refTo(GiftCard))),
};

export type GiftExpansion = keyof typeof giftExpansions;
