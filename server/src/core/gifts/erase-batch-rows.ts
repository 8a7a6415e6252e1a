import type { PoolClient } from 'pg';
import { orderKey } from './batch-order-key.ts';
import { eraseRows, lockBatchesOf, selectHeldRows, selectRowsOf } from './batch-row-queries.ts';

const REASON = 'The recipient’s name and address were erased before this gift was bought.';

/**
 * Erases the rows of a recipient that are not in a gift yet, in the caller's transaction: they are not bought. Before gifts
 * are locked, because a job that places an order holds the batch's lock.
 *
 * @param address lower-case
 * @returns the number of rows
 */
export async function forgetRowsOf(client: PoolClient, organizationId: string, address: string): Promise<number> {
  await lockBatchesOf(client, [organizationId, address]);
  const rows = await selectRowsOf(client, [organizationId, address]);
  const [erased] = await eraseRows(client, [
    organizationId,
    rows.map(({ environment }) => environment),
    rows.map(({ batch_id }) => batch_id),
    rows.map(({ row_number }) => row_number),
    rows.map(({ batch_id, row_number }) => orderKey(batch_id, row_number)),
    REASON,
  ]);
  return erased?.rows ?? 0;
}

/** What batches hold of an address, for an export. @param address lower-case */
export const findRowsOf = (client: PoolClient, organizationId: string, address: string) =>
  selectHeldRows(client, [organizationId, address]);
