import type { PoolClient } from 'pg';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { lockBalance } from '../balances/lock-balance.ts';
import * as queries from './queries.ts';

/** A million orders take about half a minute. */
const STATEMENT_TIMEOUT_MS = 300_000;
export const DELETED_WITHIN_MS = 2 * STATEMENT_TIMEOUT_MS;

export interface DeletedContents {
  orders_deleted: number;
  gifts_deleted: number;
  /** 0 or 1. */
  balances_deleted: number;
  ledger_entries_deleted: number;
}

/**
 * Deletes the contents of a sandbox, within the transaction of `lockSandbox`. Orders are placed and completed under the
 * balance's lock, so no order is deleted half-written. Acts on gifts are refused during the deletion (`sandboxLocked`).
 *
 * @param organizationId UUID
 */
export async function deleteContents(client: PoolClient, organizationId: string): Promise<DeletedContents> {
  const { existed } = await lockBalance(client, organizationId, 'sandbox');
  await allowStatements(client, STATEMENT_TIMEOUT_MS);
  // Rows with foreign keys go first.
  const [entries] = await queries.deleteLedgerEntries(client, [organizationId]);
  const [gifts] = await queries.deleteGifts(client, [organizationId]);
  const [orders] = await queries.deleteOrders(client, [organizationId]);
  await queries.deletePairs(client, [organizationId]);
  await queries.deleteBatches(client, [organizationId]);
  await queries.deleteRequests(client, [organizationId]);
  await queries.deleteSpending(client, [organizationId]);
  await queries.deleteBalance(client, [organizationId]);
  await queries.deleteTries(client, [organizationId]);
  await queries.restartEndpoints(client, [organizationId]);
  return {
    orders_deleted: orders?.count ?? 0,
    gifts_deleted: gifts?.count ?? 0,
    balances_deleted: existed ? 1 : 0,
    ledger_entries_deleted: entries?.count ?? 0,
  };
}
