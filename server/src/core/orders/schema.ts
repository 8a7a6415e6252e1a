import { type Static, Type } from 'typebox';
import { openText } from '../../platform/api/schema.ts';
import { nextCursor } from '../../platform/paging/page-query.ts';
import { externalId, metadata, references } from '../gifts/gift/reference-schema.ts';
import type { GiftBody, GiftInputBody } from '../gifts/gift/schema.ts';

export const OrderInput = Type.Object(
  {
    gifts: Type.Array(Type.Unsafe<GiftInputBody>({ $ref: 'GiftInput#' }), {
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

export const Order = Type.Object(
  {
    order_id: Type.String({ description: 'Begins with `ord_`.', examples: ['ord_01k0fxw4mze6hv3tqx4d5s8r2n'] }),
    status: openText(
      ['processing', 'processed'],
      '`processed`: every gift exists. `processing`: paid for; the remaining gifts are created soon.',
    ),
    gifts: Type.Array(Type.Unsafe<GiftBody>({ $ref: 'Gift#' }), {
      description: 'In submission order: the Nth gift returned is the Nth gift sent.',
    }),
    ...references,
  },
  { $id: 'Order', description: 'An order that was paid for.' },
);
export type OrderBody = Static<typeof Order>;

export const OrderList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Type.Unsafe<OrderBody>({ $ref: 'Order#' }), { description: 'Most recent first.' }),
    has_more: Type.Boolean({ description: 'Whether more orders follow in the direction of travel.' }),
    next_cursor: nextCursor,
  },
  { $id: 'OrderList', description: 'A page of orders.' },
);
