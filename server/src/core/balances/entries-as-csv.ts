import type { Caller } from '../../platform/authentication/caller.ts';
import type { ExportedList } from '../../platform/paging/export-list.ts';
import { readChoice, readCreated } from '../../platform/paging/list-filters.ts';
import type { Deps } from '../deps.ts';
import { listBalanceEntries, presentBalanceEntry } from './read-balance.ts';
import type { BalanceEntryBody } from './schema.ts';

export const entryKinds = ['funding', 'adjustment', 'order', 'refund'] as const;

/** Returns the matching entries of the balance as a file. @throws BestowError `parameter_invalid` */
export function entriesAsCsv(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  query: Record<string, unknown>,
): ExportedList<BalanceEntryBody> {
  const kind = readChoice(query, 'kind', entryKinds);
  return {
    name: `balance-${caller.environment}`,
    prefix: 'led',
    fields: ['entry_id', 'created_at', 'kind', 'amount', 'balance_after', 'order_id', 'gift_id', 'reference'],
    range: readCreated(query),
    async readPage(request) {
      const { rows, ...more } = await listBalanceEntries(deps, caller, { ...request, kind });
      return { ...more, rows: rows.map(presentBalanceEntry) };
    },
  };
}
