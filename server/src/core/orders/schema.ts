import { type Static, Type } from 'typebox';
import { refTo } from '../../platform/api/schema.ts';
import { nextCursor } from '../../platform/paging/page-query.ts';
import { shapesOf } from '../gifts/gift/field.ts';
import { externalId, metadata } from '../gifts/gift/reference-schema.ts';
import { GiftInput } from '../gifts/gift/schema.ts';
import { orderFields } from './order-fields.ts';

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

export const Order = Type.Object(shapesOf(orderFields, 'api'), {
  $id: 'Order',
  description: 'An order that was paid for.',
});
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
