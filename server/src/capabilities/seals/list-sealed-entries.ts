import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { canonicalEntry } from './canonical.ts';
import { listSealedEntries as list, sumSealedEntries as sum } from './tree-queries.ts';

const ENTRIES_PER_PAGE = 1_000;

/** UUIDs: entries above and below these, and up to the last sealed one. */
interface SealedRange {
  above: string;
  below: string;
  lastId: string;
}

/** Counts and sums the sealed entries of a range by kind. */
export const sumSealedEntries = (
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  { above, below, lastId }: SealedRange,
) => sum(database.pool, [organizationId, environment, above, below, lastId]);

/** Yields the hashed texts of the ledger's entries, earliest first, a page in memory at a time. */
export async function* listSealedEntries(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  { above, below, lastId }: SealedRange,
): AsyncGenerator<string[], void> {
  for (let after = above; ; ) {
    const range = [after, below, lastId, ENTRIES_PER_PAGE] as const;
    const rows = await list(database.pool, [organizationId, environment, ...range]);
    if (rows.length > 0) yield rows.map(canonicalEntry);
    if (rows.length < ENTRIES_PER_PAGE) return;
    after = rows.at(-1)?.row_id ?? below;
  }
}
