import type { PoolClient } from 'pg';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId, type IdPrefix } from '../../platform/base/ids.ts';
import {
  selectUnbalancedBooks,
  selectUnbalancedEntries,
  selectWrongOnCards,
  selectWrongOutstanding,
  selectWrongReceivable,
} from './account-queries.ts';
import { selectOrphans, selectUnownedOrders } from './orphan-queries.ts';
import * as queries from './queries.ts';
import { selectWrongRefunds } from './refund-queries.ts';

const MAX_CULPRITS_PER_CHECK = 50;

const checks = {
  'balance is the sum of its entries': { select: queries.selectWrongBalances, subject: 'led' },
  'no balance is below zero': { select: queries.selectNegativeBalances, subject: 'led' },
  'entries form a chain from zero to the balance': { select: queries.selectBrokenChains, subject: 'led' },
  'each order has one debit of its amount': { select: queries.selectWrongDebits, subject: 'ord' },
  'each canceled gift has one refund of its amount': { select: selectWrongRefunds, subject: 'gift' },
  'an order’s amount is the sum of its gifts': { select: queries.selectWrongAmounts, subject: 'ord' },
  'an order has 1 to 10 gifts without a gap': { select: queries.selectWrongPositions, subject: 'ord' },
  'an order has its key and its member': { select: selectUnownedOrders, subject: 'ord' },
  'a gift has its order and its category, and a message its gift': { select: selectOrphans, subject: 'gift' },
  'an entry and its legs sum to zero': { select: selectUnbalancedEntries, subject: 'led' },
  'the accounts sum to zero': { select: selectUnbalancedBooks, subject: 'led' },
  'gifts outstanding are the sum of unclaimed gifts': { select: selectWrongOutstanding, subject: 'gift' },
  'gifts on cards are their value minus what was spent': { select: selectWrongOnCards, subject: 'gift' },
  'receivable is what is owed': { select: selectWrongReceivable, subject: 'led' },
} as const satisfies Record<string, { select: typeof queries.selectWrongBalances; subject: IdPrefix }>;

type BookCheck = keyof typeof checks;

export interface Culprit<Check extends string = BookCheck> {
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
  checks: { check: BookCheck; faults: number }[];
  /** At most 50 per check. */
  culprits: Culprit[];
}

/** Recomputes every balance of a server and matches every debit with one order, in the caller's snapshot and without locks. */
export async function checkBooks(client: PoolClient): Promise<BooksReport> {
  const [checked] = await queries.countLedger([client], []);
  const report: BooksReport = { checked: checked as queries.LedgerCountsRow, checks: [], culprits: [] };
  for (const [name, { select, subject }] of Object.entries(checks)) {
    const check = name as BookCheck;
    const rows = await select([client], [MAX_CULPRITS_PER_CHECK]);
    report.checks.push({ check, faults: rows[0]?.total ?? 0 });
    report.culprits.push(...rows.map((row) => presentCulprit(check, subject, row)));
  }
  return report;
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

const presentCulprit = (check: BookCheck, subject: IdPrefix, row: queries.CulpritRow): Culprit => ({
  check,
  organization_id: encodeId('org', row.organization_id),
  environment: row.environment,
  subject_id: row.subject_id === null ? null : encodeId(subject, row.subject_id),
  expected: row.expected,
  found: row.found,
});
