import { type Static, Type } from 'typebox';
import { nullable, openText, refTo } from '../../platform/api/schema.ts';

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

export const OrderHistory = Type.Object(
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
