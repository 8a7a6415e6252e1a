import type { PlatformDeps } from '../../platform/deps.ts';
import { insertBankBalance, selectBankBalance } from './bank-queries.ts';

/** What the operator's bank held, as someone entered it. */
interface BankBalance {
  /** A day such as `2026-11-30`. */
  as_of: string;
  /** Signed cents. */
  amount: number;
  entered_by: string;
  created_at: Date;
}

/** Writes down what the bank held at the end of a day. Of several for a day the latest counts. */
export async function enterBankBalance(
  { database, ids, clock }: Pick<PlatformDeps, 'database' | 'ids' | 'clock'>,
  { asOf, amountCents, enteredBy }: { asOf: string; amountCents: number; enteredBy: string },
): Promise<void> {
  await insertBankBalance(database.home, [ids.next(), asOf, amountCents, enteredBy, new Date(clock.now())]);
}

/** Finds what was entered for this day, or for the latest day before. */
export async function findBankBalance(
  { database }: Pick<PlatformDeps, 'database'>,
  day: string,
): Promise<BankBalance | undefined> {
  const [row] = await selectBankBalance(database.home, [day]);
  return row && { as_of: row.as_of, amount: row.amount_cents, entered_by: row.entered_by, created_at: row.created_at };
}
