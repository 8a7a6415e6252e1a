import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { type FilteredPage, readFilteredPage } from '../../platform/paging/read-filtered-page.ts';
import type { PageRequest } from '../../platform/paging/read-page.ts';
import type { Deps } from '../deps.ts';
import type { EntryKind } from './portal-schema.ts';
import { type EntryRow, listEntriesOfCaller as list, selectBalanceOfCaller } from './read-queries.ts';
import type { BalanceBody, BalanceEntryBody } from './schema.ts';

type ReadDeps = Pick<Deps, 'config' | 'database'>;

/** Returns the balance for `/v1`; 0 if nothing was ever added. @throws BestowError as `requireAdmitted` */
export async function retrieveBalance(deps: ReadDeps, caller: Caller): Promise<BalanceBody> {
  const [row] = await selectBalanceOfCaller(deps.database.read, parametersOf(caller));
  requireAdmitted(caller, row);
  return {
    object: 'balance',
    available: row.balance_cents ?? 0,
    currency: deps.config.currency,
    ...(row.entry_id === null ? {} : { last_entry: presentBalanceEntry(row) }),
  };
}

/**
 * Returns a page of the balance's entries for `/v1`, most recent first.
 *
 * @throws BestowError `cursor_invalid`; as `requireAdmitted`
 */
export function listBalanceEntries(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  request: PageRequest & { kind?: EntryKind | undefined },
): Promise<FilteredPage<EntryRow>> {
  const { kind } = request;
  const source = kind === undefined ? list.all : kind === 'order' ? list.order : list.other;
  return readFilteredPage(request, {
    prefix: 'led',
    idOf: ({ entry_id }) => entry_id,
    async read(direction, range) {
      const rows = await source[direction](deps.database.read, [...parametersOf(caller), ...range, kind ?? null]);
      const [found] = rows;
      requireAdmitted(caller, found);
      return { found, rows: rows.filter((row) => row.entry_id !== null) };
    },
  });
}

export const presentBalanceEntry = (entry: EntryRow): BalanceEntryBody => ({
  entry_id: encodeId('led', entry.entry_id),
  kind: entry.kind,
  amount: entry.amount_cents,
  balance_after: entry.balance_after_cents,
  ...(entry.order_id === null ? {} : { order_id: encodeId('ord', entry.order_id) }),
  ...(entry.gift_id === null ? {} : { gift_id: encodeId('gift', entry.gift_id) }),
  ...(entry.reference === null ? {} : { reference: entry.reference }),
  created_at: entry.created_at,
});
