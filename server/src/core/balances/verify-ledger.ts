import type { PoolClient } from 'pg';
import type { Checkpoint } from '../../capabilities/seals/checkpoint.ts';
import {
  createSealVerifier,
  type SealCheck,
  type SealVerifier,
  sealChecks,
} from '../../capabilities/seals/verify-chains.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId, type IdPrefix } from '../../platform/base/ids.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inTransaction, SNAPSHOT, UNTIL_IT_IS_DONE } from '../../platform/database/connections.ts';
import type { Deps } from '../deps.ts';
import {
  selectUnbalancedBooks,
  selectUnbalancedEntries,
  selectWrongOnCards,
  selectWrongOutstanding,
  selectWrongReceivable,
} from './account-queries.ts';
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
  'an entry and its legs sum to zero': { select: selectUnbalancedEntries, subject: 'led' },
  'the accounts sum to zero': { select: selectUnbalancedBooks, subject: 'led' },
  'gifts outstanding are the sum of unclaimed gifts': { select: selectWrongOutstanding, subject: 'gift' },
  'gifts on cards are their value minus what was spent': { select: selectWrongOnCards, subject: 'gift' },
  'receivable is what is owed': { select: selectWrongReceivable, subject: 'led' },
} as const satisfies Record<string, { select: typeof queries.selectWrongBalances; subject: IdPrefix }>;

type LedgerCheck = keyof typeof checks | SealCheck;

interface LedgerCulprit {
  check: LedgerCheck;
  organization_id: string;
  environment: Environment | null;
  /** The order, gift or ledger entry; null for the balance itself. */
  subject_id: string | null;
  expected: string;
  found: string;
}

interface LedgerReport {
  holds: boolean;
  /** Number of rows checked. */
  checked: queries.LedgerCountsRow & { sealed_entries: number };
  checks: { check: LedgerCheck; faults: number }[];
  /** At most 50 per check and shard. */
  culprits: LedgerCulprit[];
}

/**
 * Recomputes every balance, matches every debit with one order and hashes every sealed entry again, on one snapshot of each
 * shard and without locks.
 *
 * @param checkpoint that the ledgers must still hold
 */
export async function verifyLedger(
  { database }: Pick<Deps, 'database'>,
  checkpoint: readonly Checkpoint[] = [],
): Promise<LedgerReport> {
  const seals = createSealVerifier('ledger', checkpoint);
  const reports: BalanceReport[] = [];
  for (const shard of database.shards)
    reports.push(await inTransaction(shard, (client) => verify(client, seals), UNTIL_IT_IS_DONE, SNAPSHOT));
  const { checked, checks, culprits } = reports.reduce(join);
  const { sealed, faults, culprits: ofSeals } = seals.report();
  return {
    holds: culprits.length === 0 && ofSeals.length === 0,
    checked: { ...checked, sealed_entries: sealed },
    checks: [...checks, ...sealChecks.map((check) => ({ check, faults: faults[check] }))],
    culprits: [...culprits, ...ofSeals],
  };
}

type BalanceReport = Pick<LedgerReport, 'checks' | 'culprits'> & { checked: queries.LedgerCountsRow };

async function verify(client: PoolClient, seals: SealVerifier): Promise<BalanceReport> {
  // A hundred million entries take a few minutes.
  await allowStatements(client, UNTIL_IT_IS_DONE);
  const [checked] = await queries.countLedger([client], []);
  const report: BalanceReport = { checked: checked as queries.LedgerCountsRow, checks: [], culprits: [] };
  for (const [name, { select, subject }] of Object.entries(checks)) {
    const check = name as keyof typeof checks;
    const rows = await select([client], [MAX_CULPRITS_PER_CHECK]);
    report.checks.push({ check, faults: rows[0]?.total ?? 0 });
    report.culprits.push(...rows.map((row) => presentCulprit(check, subject, row)));
  }
  await seals.verify(client);
  return report;
}

function join(one: BalanceReport, other: BalanceReport): BalanceReport {
  const checked = { ...one.checked };
  for (const [name, count] of Object.entries(other.checked)) checked[name as keyof typeof checked] += count;
  return {
    checked,
    checks: one.checks.map(({ check, faults }, n) => ({ check, faults: faults + (other.checks[n]?.faults ?? 0) })),
    culprits: [...one.culprits, ...other.culprits],
  };
}

function presentCulprit(check: LedgerCheck, subject: IdPrefix, row: queries.CulpritRow): LedgerCulprit {
  return {
    check,
    organization_id: encodeId('org', row.organization_id),
    environment: row.environment,
    subject_id: row.subject_id === null ? null : encodeId(subject, row.subject_id),
    expected: row.expected,
    found: row.found,
  };
}
