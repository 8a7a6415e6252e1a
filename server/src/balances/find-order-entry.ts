import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectEntryOfOrder } from './entry-queries.ts';
import { presentEntry, type ShownEntry } from './list-entries.ts';

/** An order's debit; undefined where there is no such order. @param orderId UUID */
export async function findOrderEntry(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  orderId: string,
): Promise<ShownEntry | undefined> {
  const [row] = await selectEntryOfOrder(deps.database.pool, [organizationId, environment, orderId]);
  return row && presentEntry(row);
}
