import type { PoolClient } from 'pg';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
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

/** Does the same for the operator and the portal. @throws OperatorError if the sandbox does not exist */
export async function lockUsableBalance(
  client: PoolClient,
  organizationId: string,
  environment: Environment,
): ReturnType<typeof lockBalance> {
  const locked = await lockBalance(client, organizationId, environment);
  // After the lock, which a deletion of the sandbox holds.
  if (environment === 'sandbox' && (await queries.selectSandbox(client, [organizationId])).length === 0)
    throw new OperatorError(
      `${encodeId('org', organizationId)} has no sandbox. Create it with bestow sandbox create, or add its first sandbox key.`,
    );
  return locked;
}
