import { type BooksReport, type Culprit, checkBooks, joinReports } from '../../core/balances/check-books.ts';
import type { Deps } from '../../core/deps.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inTransaction, SNAPSHOT, UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import type { Checkpoint } from './checkpoint.ts';
import { createSealVerifier, type SealCheck, sealChecks } from './verify-chains.ts';

type LedgerCheck = BooksReport['checks'][number]['check'] | SealCheck;

interface LedgerReport {
  holds: boolean;
  /** Number of rows checked. */
  checked: BooksReport['checked'] & { sealed_entries: number };
  checks: { check: LedgerCheck; faults: number }[];
  /** At most 50 per check and shard. */
  culprits: Culprit<LedgerCheck>[];
}

/**
 * Recomputes every balance, matches every debit with one order and hashes every sealed entry again, on one snapshot of each
 * shard and without locks.
 *
 * @param checkpoint that the ledgers must still hold
 * @param say is called with what is verified next
 */
export async function verifyLedger(
  { database }: Pick<Deps, 'database'>,
  checkpoint: readonly Checkpoint[] = [],
  say: (what: string) => void = () => {},
): Promise<LedgerReport> {
  const seals = createSealVerifier('ledger', checkpoint);
  const reports: BooksReport[] = [];
  for (const shard of database.shards)
    reports.push(
      await inTransaction(
        shard,
        async (client) => {
          // A hundred million entries take a few minutes.
          await allowStatements(client, UNTIL_IT_IS_DONE);
          const report = await checkBooks(client, say);
          await seals.verify(client, say);
          return report;
        },
        UNTIL_IT_IS_DONE,
        SNAPSHOT,
      ),
    );
  const { checked, checks, culprits } = reports.reduce(joinReports);
  const { sealed, faults, culprits: ofSeals } = seals.report();
  return {
    holds: culprits.length === 0 && ofSeals.length === 0,
    checked: { ...checked, sealed_entries: sealed },
    checks: [...checks, ...sealChecks.map((check) => ({ check, faults: faults[check] }))],
    culprits: [...culprits, ...ofSeals],
  };
}
