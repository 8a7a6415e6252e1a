import type { Scope } from '../../platform/base/principal.ts';
import { readAllPages } from '../../platform/paging/read-all-pages.ts';
import type { Deps } from '../deps.ts';
import { type EntrySearch, listEntries } from './list-entries.ts';
import type { LedgerEntry } from './portal-schema.ts';

/** The columns of the exported rows; money in cents. */
export const entryExportColumns = [
  { key: 'entry_id', header: 'Entry' },
  { key: 'created_at', header: 'Time (UTC)' },
  { key: 'kind', header: 'Kind' },
  { key: 'amount', header: 'Amount', isMoney: true },
  { key: 'balance_after', header: 'Balance after', isMoney: true },
  { key: 'order_id', header: 'Order' },
  { key: 'reference', header: 'Reference' },
  { key: 'note', header: 'Note' },
  // Last, so that the earlier columns keep their places.
  { key: 'gift_id', header: 'Gift' },
] as const;

/** Every entry that is looked for, newest first. */
export const exportEntries = (
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  search: EntrySearch,
): AsyncGenerator<LedgerEntry, void> =>
  readAllPages(search, (request) => listEntries(deps, scope, { ...search, ...request }));
