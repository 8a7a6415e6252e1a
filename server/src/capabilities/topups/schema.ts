import { type Static, Type } from 'typebox';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** top-up */
    top: true;
  }
}

export const Topup = Type.Object(
  {
    topup_id: Type.String(),
    kind: oneOf('checkout', 'bank_transfer', 'automatic'),
    state: oneOf('pending', 'processing', 'action_required', 'succeeded', 'failed', 'canceled'),
    amount: Type.Integer({ description: 'Cents that the balance gets.' }),
    fee: Type.Integer({ description: 'Cents that are paid in addition.' }),
    taken_back: Type.Integer({ description: 'Cents that were refunded or charged back.' }),
    can_be_paid: Type.Boolean({ description: 'A person can pay it on a page of the payment provider.' }),
    failure: nullable(Type.String()),
    receipt_url: nullable(Type.String()),
    invoice_url: nullable(Type.String({ description: 'The invoice as PDF.' })),
    created_by: Type.String(),
    created_at: Time,
    credited_at: nullable(Time),
  },
  { $id: 'Topup' },
);
export type Topup = Static<typeof Topup>;

export const SavedCard = Type.Object(
  {
    payment_method_id: Type.String(),
    card: Type.String({ description: 'Brand and last four digits.' }),
    expires: Type.String({ description: 'Such as `08/2031`.' }),
  },
  { $id: 'SavedCard' },
);

export const AutomaticTopup = Type.Object(
  {
    is_on: Type.Boolean(),
    threshold: Type.Integer({ description: 'Cents; a lower balance starts a top-up.' }),
    method: oneOf('fixed', 'target'),
    amount: Type.Integer({ description: 'Cents to add, or to reach.' }),
    monthly_cap: Cents,
    payment_method_id: Type.String(),
    card: Type.String(),
    off_reason: nullable(oneOf('failures', 'dispute')),
  },
  { $id: 'AutomaticTopup' },
);

export const TopupOptions = Type.Object(
  {
    smallest: Cents,
    largest: Cents,
    card_fee: Type.Object({ basis_points: Type.Integer(), cents: Type.Integer() }),
    has_bank_transfers: Type.Boolean(),
    automatic: nullable(AutomaticTopup),
  },
  { $id: 'TopupOptions' },
);
