import { type Static, Type } from 'typebox';
import { openText, refTo, Time } from '../../platform/api/schema.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** ledger entry */
    led: true;
  }
}

// The shapes of `/v1`.

const BalanceEntry = Type.Object(
  {
    entry_id: Type.String({ description: 'Begins with `led_`.', examples: ['led_01k0fxw4mze6hv3tqx4d5s8r2p'] }),
    kind: openText(
      ['funding', 'adjustment', 'order', 'refund'],
      '`funding` added money, `adjustment` is a correction, `order` paid for an order, `refund` returned a canceled gift’s amount.',
    ),
    amount: Type.Integer({ format: 'int64', description: 'Cents; negative for a debit.', examples: [-7500] }),
    balance_after: Type.Integer({ format: 'int64', description: 'The balance after it, in cents.', examples: [92500] }),
    order_id: Type.Optional(Type.String({ description: 'The order that it paid for. Only with the kind `order`.' })),
    gift_id: Type.Optional(Type.String({ description: 'The canceled gift. Only with the kind `refund`.' })),
    reference: Type.Optional(Type.String({ description: 'The operator’s reference, if there is one.' })),
    created_at: Time,
  },
  { $id: 'BalanceEntry', description: 'A change of the balance. Entries are never changed.' },
);
export type BalanceEntryBody = Static<typeof BalanceEntry>;

export const BalanceSummary = Type.Object(
  {
    object: Type.Literal('balance'),
    available: Type.Integer({
      format: 'int64',
      description: 'What orders can spend now, in cents.',
      examples: [92500],
    }),
    currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
    last_entry: Type.Optional(refTo(BalanceEntry)),
  },
  { $id: 'BalanceSummary', description: 'The balance of the organization in this environment.' },
);
export type BalanceBody = Static<typeof BalanceSummary>;

export const BalanceEntryList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(refTo(BalanceEntry), { description: 'Most recent first.' }),
    has_more: Type.Boolean({ description: 'Whether more entries follow in the direction of travel.' }),
  },
  { $id: 'BalanceEntryList', description: 'A page of the balance’s entries.' },
);

const LedgerLeg = Type.Object(
  { account: Type.String(), amount: Type.Integer({ format: 'int64', description: 'Cents.' }) },
  { $id: 'LedgerLeg', description: 'What an entry moves on another account.' },
);

const SealedEntry = Type.Object(
  {
    amount: Type.Integer({ format: 'int64', description: 'Cents; negative for a debit.' }),
    balance_after: Type.Integer({ format: 'int64' }),
    created_at: Time,
    entry_id: Type.String(),
    environment: Type.String(),
    gift_id: Type.Optional(Type.String()),
    kind: Type.String(),
    legs: Type.Optional(
      Type.Array(refTo(LedgerLeg), {
        description: 'What the entry moves on other accounts, if that is more than the counter-account of its kind.',
      }),
    ),
    note: Type.Optional(Type.String()),
    order_id: Type.Optional(Type.String()),
    organization_id: Type.String(),
    reference: Type.Optional(Type.String()),
    type: Type.Literal('ledger_entry'),
    version: Type.Integer({ format: 'int64' }),
  },
  { $id: 'SealedEntry', description: 'As hashed: `JSON.stringify` of it is the text of the leaf.' },
);

export const LedgerStatement = Type.Object(
  {
    object: Type.Literal('ledger_statement'),
    version: Type.Integer({ format: 'int64', description: 'Of this form: 1.' }),
    organization_id: Type.String(),
    environment: Type.String(),
    month: Type.String({ description: 'In UTC.', examples: ['2026-11'] }),
    is_final: Type.Boolean({ description: 'Whether the month is over and all its entries are sealed.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    opening_balance: Type.Integer({ format: 'int64', description: 'Cents.' }),
    first_index: Type.Integer({ format: 'int64', description: 'The leaf of the first entry.' }),
    before: Type.Array(Type.String(), {
      description: 'Roots of the complete subtrees before the first entry, largest first, in Base64.',
    }),
    entries: Type.Array(refTo(SealedEntry), {
      description: 'All sealed entries of the month, earliest first.',
    }),
    closing_balance: Type.Integer({ format: 'int64', description: 'Cents: the opening balance and all entries.' }),
    checkpoint: Type.String({
      description: 'The signed checkpoint right after the last entry; its fourth line is about this statement.',
    }),
  },
  { $id: 'LedgerStatement', description: 'A month of the ledger that can be verified without the service.' },
);
export type LedgerStatementBody = Static<typeof LedgerStatement>;
