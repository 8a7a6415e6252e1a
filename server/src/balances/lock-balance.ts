import type { PoolClient } from 'pg';
import type { Environment } from '../base/environment.ts';
import * as queries from './queries.ts';

/** Locks the balance against orders, funding and resets until the transaction ends. Creates a missing balance. */
export async function lockBalance(
  client: PoolClient,
  organizationId: string,
  environment: Environment,
): Promise<{ balanceCents: number; lastId: string; existed: boolean }> {
  const rows = await queries.lockBalance(client, [organizationId, environment]);
  const row = rows[0] as queries.LockedBalanceRow;
  return { balanceCents: row.balance_cents, lastId: row.last_id, existed: row.existed };
}
