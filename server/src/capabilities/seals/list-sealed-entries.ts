import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { canonicalEntry } from './canonical.ts';
import { listSealedEntries as list } from './tree-queries.ts';

const ENTRIES_PER_PAGE = 1_000;

/**
 * Yields the hashed texts of the ledger's entries, earliest first, a page in memory at a time.
 *
 * @param range UUIDs: above and below these, and up to the last sealed one
 */
export async function* listSealedEntries(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  { above, below, lastId }: { above: string; below: string; lastId: string },
): AsyncGenerator<string[], void> {
  for (let after = above; ; ) {
    const range = [after, below, lastId, ENTRIES_PER_PAGE] as const;
    const rows = await list(database.pool, [organizationId, environment, ...range]);
    if (rows.length > 0) yield rows.map(canonicalEntry);
    if (rows.length < ENTRIES_PER_PAGE) return;
    after = rows.at(-1)?.row_id ?? below;
  }
}
