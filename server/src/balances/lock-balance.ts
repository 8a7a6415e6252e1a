import type { PoolClient } from 'pg';
import type { Environment } from '../base/environment.ts';
import * as queries from './queries.ts';

/**
 * Holds the balance until the transaction ends: meanwhile no order is placed, no fund added and nothing reset. Where
 * there was no balance there is an empty one now, so that there is something to hold.
 */
export async function lockBalance(
  client: PoolClient,
  organizationId: string,
  environment: Environment,
): Promise<{ balanceCents: number; lastId: string; existed: boolean }> {
  const rows = await queries.lockBalance(client, [organizationId, environment]);
  const row = rows[0] as queries.LockedBalanceRow;
  return { balanceCents: row.balance_cents, lastId: row.last_id, existed: row.existed };
}
