import { type Static, Type } from 'typebox';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import { LedgerEntry } from '../balances/portal-schema.ts';
import { GiftSummary } from '../gifts/gift/portal-schema.ts';
import { references } from '../gifts/gift/reference-schema.ts';

/** Orders as the portal shows them. */
const summary = {
  order_id: Type.String(),
  status: oneOf('processing', 'processed'),
  amount: Cents,
  gift_count: Type.Integer({ description: 'Includes gifts that are not created yet.' }),
  created_at: Time,
  idempotency_key: Type.String(),
  key: nullable(
    Type.Object(
      { key_id: Type.String(), name: Type.String(), hint: Type.String() },
      { description: 'Null if a member ordered in the portal.' },
    ),
  ),
  member: Type.Object(
    { member_id: Type.String(), email: Type.String() },
    { description: 'The member that the order is attributed to.' },
  ),
  ...references,
};

export const OrderSummary = Type.Object(summary, { $id: 'OrderSummary' });
export type OrderSummary = Static<typeof OrderSummary>;

export const ShownOrder = Type.Object(
  {
    ...summary,
    completes_at: nullable(Time),
    pending_gift_count: Type.Integer({ description: 'Gifts that are not created yet.' }),
    gifts: Type.Array(GiftSummary),
    entry: LedgerEntry,
  },
  { $id: 'Order' },
);
export type ShownOrder = Static<typeof ShownOrder>;
