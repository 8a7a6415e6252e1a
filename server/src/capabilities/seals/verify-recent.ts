import { checkRecentBooks } from '../../core/balances/check-books.ts';
import type { Deps } from '../../core/deps.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inTransaction, SNAPSHOT } from '../../platform/database/transaction.ts';
import { canonicalEntry } from './canonical.ts';
import { leafOf } from './merkle-tree.ts';
import * as queries from './queries.ts';

interface RecentReport {
  ledgers: number;
  /** Number of entries after the newest seals. */
  entries: number;
  /** At most 50 per check and shard. */
  faults: number;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Verifies what came after the newest seal of each ledger: that the last sealed entry is as it was sealed,
 * and that the balance, the debits, the refunds and the orders follow from it. Takes longer with the entries of the last
 * minutes, and with the number of ledgers, but not with what is sealed. See `docs/ledger.md#in-seconds` for what it leaves out.
 *
 * @param withinMs for each statement; the transaction of a shard may take a second more
 * @throws PostgreSQL's error 57014 if a statement took longer
 */
export async function verifyRecent({ database }: Pick<Deps, 'database'>, withinMs: number): Promise<RecentReport> {
  const report: RecentReport = { ledgers: 0, entries: 0, faults: 0 };
  for (const shard of database.shards)
    await inTransaction(
      shard,
      async (client) => {
        await allowStatements(client, withinMs);
        const newest = await queries.selectNewestSeals([client], []);
        const { entries, faults } = await checkRecentBooks(client, [
          newest.map(({ organization_id }) => organization_id),
          newest.map(({ environment }) => environment),
          newest.map(({ last_id }) => last_id ?? NO_ID),
        ]);
        report.ledgers += newest.length;
        report.entries += entries;
        report.faults += faults + newest.filter((seal) => !isAsSealed(seal)).length;
      },
      withinMs + 1_000,
      SNAPSHOT,
    );
  return report;
}

const isAsSealed = ({ leaf, entry }: Awaited<ReturnType<typeof queries.selectNewestSeals>>[number]) =>
  leaf === null || (entry !== null && leafOf(canonicalEntry(entry)).equals(leaf));
