import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectEntryOfOrder } from './entry-queries.ts';
import { presentEntry } from './list-entries.ts';
import type { LedgerEntry } from './portal-schema.ts';

/** Finds an order's debit; undefined if the order does not exist. @param orderId UUID */
export async function findOrderEntry(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  orderId: string,
): Promise<LedgerEntry | undefined> {
  const [row] = await selectEntryOfOrder(deps.database.pool, [organizationId, environment, orderId]);
  return row && presentEntry(row);
}
