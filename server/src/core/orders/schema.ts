import { type Static, Type } from 'typebox';
import { nullable, openText, refTo } from '../../platform/api/schema.ts';
import { nextCursor } from '../../platform/paging/page-query.ts';
import { externalId, metadata, references } from '../gifts/gift/reference-schema.ts';
import { Gift, GiftInput } from '../gifts/gift/schema.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** order */
    ord: true;
  }
}

export const OrderInput = Type.Object(
  {
    gifts: Type.Array(refTo(GiftInput), {
      minItems: 1,
      maxItems: 10,
      description: 'The gifts, 1 to 10. They are charged together, in one debit.',
      'x-rule': 'must be a list of 1 to 10 gifts',
    }),
    external_id: Type.Optional(externalId('A second order with it is refused.')),
    metadata: Type.Optional(metadata),
  },
  { $id: 'OrderInput', description: 'An order of 1 to 10 gifts.', additionalProperties: false },
);
export type OrderInputBody = Static<typeof OrderInput>;

const count = Type.Integer({ format: 'int64', minimum: 0, description: 'How many gifts.' });

const OrderedBy = Type.Object(
  {
    kind: openText(
      ['key', 'agent', 'member', 'file', 'rule'],
      'An API key, an agent, a member in the portal, a file of gifts, or a rule of yearly gifts.',
    ),
    id: Type.String({
      description: 'The id of the key, grant, member, file or rule.',
      examples: ['key_01k0fxw4mze6hv3tqx4d5s8r2n'],
    }),
    name: nullable(
      Type.String({ description: 'The name of the key or grant, the address of the member; null of a file or rule.' }),
    ),
  },
  { $id: 'OrderedBy', description: 'Who or what placed an order.' },
);
export type OrderedBy = Static<typeof OrderedBy>;

const OrderHistory = Type.Object(
  {
    created_at: Type.String({ format: 'date-time', description: 'When it was placed and paid for.' }),
    amount: Type.Integer({ format: 'int64', description: 'The cents that it cost.', examples: [7500] }),
    currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
    ordered_by: refTo(OrderedBy),
    gifts_by_state: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: count,
      description:
        'How many of its gifts are in each `state` of their `history`; only states that one has. Gifts that a `processing` order has not created yet are in none.',
      examples: [{ delivered: 1, opened: 1 }],
    }),
  },
  { $id: 'OrderHistory', description: 'Who ordered, when and what became of the gifts.' },
);
export type OrderHistoryBody = Static<typeof OrderHistory>;

export const Order = Type.Object(
  {
    order_id: Type.String({ description: 'Begins with `ord_`.', examples: ['ord_01k0fxw4mze6hv3tqx4d5s8r2n'] }),
    status: openText(
      ['processing', 'processed'],
      '`processed`: every gift exists. `processing`: paid for; the remaining gifts are created soon.',
    ),
    gifts: Type.Array(refTo(Gift), {
      description: 'In submission order: the Nth gift returned is the Nth gift sent.',
    }),
    ...references,
    history: Type.Optional(refTo(OrderHistory)),
  },
  { $id: 'Order', description: 'An order that was paid for.' },
);
export type OrderBody = Static<typeof Order>;

export const OrderList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(refTo(Order), { description: 'Most recent first.' }),
    has_more: Type.Boolean({ description: 'Whether more orders follow in the direction of travel.' }),
    next_cursor: nextCursor,
  },
  { $id: 'OrderList', description: 'A page of orders.' },
);
