import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../../platform/paging/read-page.ts';
import type { Deps } from '../deps.ts';
import { type ListedEntryRow, listEntries as list, selectEntryExists } from './entry-queries.ts';
import type { EntryKind, LedgerEntry } from './portal-schema.ts';

/** What entries are looked for; what is left out does not matter. */
export interface EntrySearch {
  kind?: EntryKind | undefined;
  /** This time or later. */
  from?: Date | undefined;
  /** Before this time. */
  to?: Date | undefined;
}

/**
 * A page of the ledger's entries, newest first, each with the balance after it.
 *
 * @throws BestowError `cursor_invalid`
 */
export async function listEntries(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  request: EntrySearch & PageRequest,
): Promise<SearchPage<LedgerEntry>> {
  const { pool } = deps.database;
  const owner = [scope.organizationId, scope.environment] as const;
  const { kind } = request;
  const source = kind === undefined ? list.all : kind === 'order' ? list.order : list.other;
  const page = await readSearchPage<ListedEntryRow>(request, {
    prefix: 'led',
    idOf: ({ entry_id }) => entry_id,
    exists: (entryId) => selectEntryExists(pool, [...owner, entryId]),
    read: (direction, { above, below }, limit) =>
      source[direction](pool, [...owner, above, below, limit, kind ?? null]),
  });
  return { ...page, rows: page.rows.map(presentEntry) };
}

export function presentEntry({ amount_cents, balance_after_cents, ...entry }: ListedEntryRow): LedgerEntry {
  return {
    ...entry,
    entry_id: encodeId('led', entry.entry_id),
    order_id: entry.order_id === null ? null : encodeId('ord', entry.order_id),
    gift_id: entry.gift_id === null ? null : encodeId('gift', entry.gift_id),
    amount: amount_cents,
    balance_after: balance_after_cents,
  };
}
