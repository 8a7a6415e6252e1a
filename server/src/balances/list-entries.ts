import { encodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../paging/read-page.ts';
import { type EntryKind, type ListedEntryRow, listEntries as list, selectEntryExists } from './entry-queries.ts';

/** An entry of the ledger. Amounts are cents. */
export interface ShownEntry {
  entry_id: string;
  kind: EntryKind;
  /** Negative: taken from the balance. */
  amount: number;
  /** The balance right after it. */
  balance_after: number;
  /** Of an order's debit. */
  order_id: string | null;
  reference: string | null;
  note: string | null;
  created_at: Date;
}

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
): Promise<SearchPage<ShownEntry>> {
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

export function presentEntry(row: ListedEntryRow): ShownEntry {
  return {
    entry_id: encodeId('led', row.entry_id),
    kind: row.kind,
    amount: row.amount_cents,
    balance_after: row.balance_after_cents,
    order_id: row.order_id === null ? null : encodeId('ord', row.order_id),
    reference: row.reference,
    note: row.note,
    created_at: row.created_at,
  };
}
