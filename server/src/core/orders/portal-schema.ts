import { type Static, Type } from 'typebox';
import { LedgerEntry } from '../balances/portal-schema.ts';
import { shapesOf } from '../gifts/gift/field.ts';
import { GiftSummary } from '../gifts/gift/portal-schema.ts';
import { orderFields } from './order-fields.ts';

/** Orders as the portal shows them. */
const summary = shapesOf(orderFields, 'portal');

export const OrderSummary = Type.Object(summary, { $id: 'OrderSummary' });
export type OrderSummary = Static<typeof OrderSummary>;

export const ShownOrder = Type.Object(
  {
    ...summary,
    ...shapesOf(orderFields, 'portalPage'),
    gifts: Type.Array(GiftSummary),
    entry: LedgerEntry,
  },
  { $id: 'Order' },
);
export type ShownOrder = Static<typeof ShownOrder>;
