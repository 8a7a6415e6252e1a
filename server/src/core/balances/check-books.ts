import type { PoolClient } from 'pg';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId, type IdPrefix } from '../../platform/base/ids.ts';
import {
  unbalancedBooks,
  unbalancedEntries,
  wrongOnCards,
  wrongOutstanding,
  wrongReceivable,
} from './account-queries.ts';
import {
  type BookCheck,
  type CulpritRow,
  countRecentEntries,
  type Heads,
  preferIndexes,
} from './book-check-queries.ts';
import { orphans, unownedOrders } from './orphan-queries.ts';
import * as queries from './queries.ts';
import { wrongRefunds } from './refund-queries.ts';

const MAX_CULPRITS_PER_CHECK = 50;

const checks = {
  'balance is the sum of its entries': { ...queries.wrongBalances, subject: 'led' },
  'no balance is below zero': { ...queries.negativeBalances, subject: 'led' },
  'entries form a chain from zero to the balance': { ...queries.brokenChains, subject: 'led' },
  'each order has one debit of its amount': { ...queries.wrongDebits, subject: 'ord' },
  'each canceled gift has one refund of its amount': { ...wrongRefunds, subject: 'gift' },
  'an order’s amount is the sum of its gifts': { ...queries.wrongAmounts, subject: 'ord' },
  'an order has 1 to 10 gifts without a gap': { ...queries.wrongPositions, subject: 'ord' },
  'an order has its key and its member': { ...unownedOrders, subject: 'ord' },
  'a gift has its order and its category, and a message its gift': { ...orphans, subject: 'gift' },
  'an entry and its legs sum to zero': { ...unbalancedEntries, subject: 'led' },
  'the accounts sum to zero': { ...unbalancedBooks, subject: 'led' },
  'gifts outstanding are the sum of unclaimed gifts': { ...wrongOutstanding, subject: 'gift' },
  'gifts on cards are their value minus what was spent': { ...wrongOnCards, subject: 'gift' },
  'receivable is what is owed': { ...wrongReceivable, subject: 'led' },
} as const satisfies Record<string, BookCheck & { subject: IdPrefix }>;

type CheckName = keyof typeof checks;

export interface Culprit<Check extends string = CheckName> {
  check: Check;
  organization_id: string;
  environment: Environment | null;
  /** The order, gift or ledger entry; null for the balance itself. */
  subject_id: string | null;
  expected: string;
  found: string;
}

export interface BooksReport {
  /** Number of rows checked. */
  checked: queries.LedgerCountsRow;
  checks: { check: CheckName; faults: number }[];
  /** At most 50 per check. */
  culprits: Culprit[];
}

/**
 * Recomputes every balance of a server and matches every debit with one order, in the caller's snapshot and without locks.
 *
 * @param say is called with each check before it begins
 */
export async function checkBooks(client: PoolClient, say: (check: string) => void = () => {}): Promise<BooksReport> {
  const [checked] = await queries.countLedger([client], []);
  const report: BooksReport = { checked: checked as queries.LedgerCountsRow, checks: [], culprits: [] };
  for (const [name, { all, subject }] of Object.entries(checks)) {
    const check = name as CheckName;
    say(check);
    const rows = await all([client], [MAX_CULPRITS_PER_CHECK]);
    report.checks.push({ check, faults: rows[0]?.total ?? 0 });
    report.culprits.push(...rows.map((row) => presentCulprit(check, subject, row)));
  }
  return report;
}

/**
 * Makes the same checks of the rows after the heads, from the balances that those left. Leaves out the checks that need every
 * row: of gifts and messages that lack what they belong to, and of the sums of accounts.
 */
export async function checkRecentBooks(client: PoolClient, heads: Heads): Promise<{ entries: number; faults: number }> {
  await preferIndexes(client, []);
  const [counted] = await countRecentEntries([client], [null, ...heads]);
  let faults = 0;
  for (const check of Object.values<BookCheck>(checks)) {
    const [first] = (await check.recent?.([client], [MAX_CULPRITS_PER_CHECK, ...heads])) ?? [];
    faults += first?.total ?? 0;
  }
  return { entries: counted?.entries ?? 0, faults };
}

/** The reports of two servers as one. */
export function joinReports(one: BooksReport, other: BooksReport): BooksReport {
  const checked = { ...one.checked };
  for (const [name, count] of Object.entries(other.checked)) checked[name as keyof typeof checked] += count;
  return {
    checked,
    checks: one.checks.map(({ check, faults }, n) => ({ check, faults: faults + (other.checks[n]?.faults ?? 0) })),
    culprits: [...one.culprits, ...other.culprits],
  };
}

const presentCulprit = (check: CheckName, subject: IdPrefix, row: CulpritRow): Culprit => ({
  check,
  organization_id: encodeId('org', row.organization_id),
  environment: row.environment,
  subject_id: row.subject_id === null ? null : encodeId(subject, row.subject_id),
  expected: row.expected,
  found: row.found,
});
