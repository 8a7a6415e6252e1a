import type { PoolClient } from 'pg';
import type { EraseOfAddress } from '../../core/address-owner.ts';
import { eraseRows, lockBatchesOf, selectHeldRows, selectRowsOf } from './erasure-queries.ts';
import { orderKey } from './order-key.ts';

const REASON = 'The recipient’s name and address were erased before this gift was bought.';

/**
 * Rows that are not in a gift yet: they are not bought. Before gifts are locked, because a job that places an order holds the
 * lock of its batch.
 */
export const eraseRowsOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
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
  return { isFound: (erased?.rows ?? 0) > 0 };
};

/** What batches hold of an address, for an export. @param address lower-case */
export const findRowsOf = (client: PoolClient, organizationId: string, address: string) =>
  selectHeldRows(client, [organizationId, address]);
