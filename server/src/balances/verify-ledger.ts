import type { Environment } from '../base/environment.ts';
import { encodeId, type IdPrefix } from '../base/ids.ts';
import { allowStatements } from '../database/allow-statements.ts';
import { inTransaction, UNTIL_IT_IS_DONE } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

const MAX_CULPRITS_PER_CHECK = 50;

const checks = {
  'balance is the sum of its entries': { select: queries.selectWrongBalances, subject: 'led' },
  'no balance is below zero': { select: queries.selectNegativeBalances, subject: 'led' },
  'entries form a chain from zero to the balance': { select: queries.selectBrokenChains, subject: 'led' },
  'each order has one debit of its amount': { select: queries.selectWrongDebits, subject: 'ord' },
  'an order’s amount is the sum of its gifts': { select: queries.selectWrongAmounts, subject: 'ord' },
  'an order has 1 to 10 gifts without a gap': { select: queries.selectWrongPositions, subject: 'ord' },
} as const satisfies Record<string, { select: typeof queries.selectWrongBalances; subject: IdPrefix }>;

type LedgerCheck = keyof typeof checks;

interface LedgerCulprit {
  check: LedgerCheck;
  organization_id: string;
  environment: Environment;
  /** The order or ledger entry; null for the balance itself. */
  subject_id: string | null;
  expected: string;
  found: string;
}

export interface LedgerReport {
  holds: boolean;
  /** Number of rows checked. */
  checked: queries.LedgerCountsRow;
  checks: { check: LedgerCheck; faults: number }[];
  /** At most 50 per check. */
  culprits: LedgerCulprit[];
}

/** Recomputes every balance and matches every debit with one order, on one snapshot and without locks. */
export function verifyLedger(deps: Pick<Deps, 'database'>): Promise<LedgerReport> {
  return inTransaction(
    deps.database.pool,
    async (client) => {
      await queries.readOneMoment(client);
      // A hundred million entries take a few minutes.
      await allowStatements(client, UNTIL_IT_IS_DONE);
      const [checked] = await queries.countLedger(client, []);
      const report: LedgerReport = {
        holds: true,
        checked: checked as queries.LedgerCountsRow,
        checks: [],
        culprits: [],
      };
      for (const [name, { select, subject }] of Object.entries(checks)) {
        const check = name as LedgerCheck;
        const rows = await select(client, [MAX_CULPRITS_PER_CHECK]);
        report.checks.push({ check, faults: rows[0]?.total ?? 0 });
        report.culprits.push(...rows.map((row) => presentCulprit(check, subject, row)));
      }
      report.holds = report.culprits.length === 0;
      return report;
    },
    UNTIL_IT_IS_DONE,
  );
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
