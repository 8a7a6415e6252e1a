import { type Static, Type } from 'typebox';
import type { GiftBody, NewGiftBody } from '../gifts/schema.ts';

export const NewOrder = Type.Object(
  {
    gifts: Type.Array(Type.Unsafe<NewGiftBody>({ $ref: 'NewGift#' }), {
      minItems: 1,
      maxItems: 10,
      description: 'The gifts, 1 to 10. They are charged together, in one debit.',
      'x-rule': 'must be a list of 1 to 10 gifts',
    }),
  },
  { $id: 'NewOrder', description: 'An order of 1 to 10 gifts.', additionalProperties: false },
);
export type NewOrderBody = Static<typeof NewOrder>;

export const Order = Type.Object(
  {
    order_id: Type.String({ description: 'Begins with `ord_`.', examples: ['ord_01k0fxw4mze6hv3tqx4d5s8r2n'] }),
    status: Type.Unsafe<'processing' | 'processed'>({
      type: 'string',
      enum: ['processing', 'processed'],
      description: '`processed`: every gift exists. `processing`: paid for; the remaining gifts are created soon.',
    }),
    gifts: Type.Array(Type.Unsafe<GiftBody>({ $ref: 'Gift#' }), {
      description: 'In submission order: the Nth gift returned is the Nth gift sent.',
    }),
  },
  { $id: 'Order', description: 'An order that was paid for.', additionalProperties: false },
);
export type OrderBody = Static<typeof Order>;

export const OrderList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Type.Unsafe<OrderBody>({ $ref: 'Order#' }), { description: 'Most recent first.' }),
    has_more: Type.Boolean({ description: 'Whether more orders follow in the direction of travel.' }),
  },
  { $id: 'OrderList', description: 'A page of orders.', additionalProperties: false },
);
