import { statement } from '../../platform/database/statement.ts';

export const insertBankBalance = statement<
  [bankBalanceId: string, asOf: string, amountCents: number, enteredBy: string, createdAt: Date]
>(
  'bank_balances.insert',
  `insert into portal.bank_balances (bank_balance_id, as_of, amount_cents, entered_by, created_at)
   values ($1, $2::date, $3, $4, $5)`,
);

export const selectBankBalance = statement<
  [day: string],
  { as_of: string; amount_cents: number; entered_by: string; created_at: Date }
>(
  'bank_balances.select',
  `select to_char(as_of, 'YYYY-MM-DD') as as_of, amount_cents, entered_by, created_at from portal.bank_balances
   where as_of <= $1::date order by as_of desc, bank_balance_id desc limit 1`,
);
