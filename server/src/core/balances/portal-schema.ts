import { type Static, Type } from 'typebox';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';

export const EntryKind = oneOf('funding', 'adjustment', 'order', 'refund');
export type EntryKind = Static<typeof EntryKind>;

export const Outlook = Type.Object(
  {
    balance: Cents,
    spending_per_day: Type.Integer({ description: 'Cents; the average of the last seven days.' }),
    days_left: nullable(Type.Integer({ description: 'At that rate; null if nothing was spent.' })),
    lasts_less_than_a_week: Type.Boolean(),
  },
  { $id: 'BalanceOutlook' },
);
export type Outlook = Static<typeof Outlook>;

export const BalanceAlert = Type.Object(
  {
    threshold: Type.Integer({ description: 'Cents; a lower balance sends an email.' }),
    warned_at: nullable(Time),
  },
  { $id: 'BalanceAlert' },
);
export type BalanceAlert = Static<typeof BalanceAlert>;

export const LedgerEntry = Type.Object(
  {
    entry_id: Type.String(),
    kind: EntryKind,
    amount: Type.Integer({ description: 'Cents; negative for a debit.' }),
    balance_after: Cents,
    order_id: nullable(Type.String()),
    gift_id: nullable(Type.String({ description: 'Of a refund: the canceled gift.' })),
    reference: nullable(Type.String()),
    note: nullable(Type.String()),
    created_at: Time,
  },
  { $id: 'LedgerEntry' },
);
export type LedgerEntry = Static<typeof LedgerEntry>;

const StatementSum = Type.Object({ entries: Type.Integer(), amount: Cents });
const sums = { funding: StatementSum, adjustment: StatementSum, order: StatementSum, refund: StatementSum };

export const Statement = Type.Object(
  {
    month: Type.String({ description: 'Such as `2026-11`, in UTC.' }),
    from: Time,
    to: Time,
    is_final: Type.Boolean(),
    opening_balance: Cents,
    totals: Type.Object(sums),
    entry_count: Type.Integer(),
    closing_balance: Cents,
    days: Type.Array(Type.Object({ day: Time, ...sums })),
    entries: nullable(Type.Array(LedgerEntry, { description: 'Null if there are more than 1,000.' })),
  },
  { $id: 'Statement' },
);
export type Statement = Static<typeof Statement>;
