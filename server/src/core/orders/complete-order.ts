import type { PoolClient } from 'pg';
import type { Scope } from '../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import * as queries from './completion-queries.ts';

/**
 * Creates the remaining gifts of a `processing` order. Safe to repeat. If a reset deleted the order, nothing is created:
 * both lock the balance first.
 *
 * @throws BestowError `resource_locked` while the sandbox is being reset; the job is retried
 */
export async function completeOrder(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  orderId: string,
): Promise<void> {
  const owner = [scope.organizationId, scope.environment] as const;
  await requireUnlockedSandbox(deps, scope);
  const complete = async (client: PoolClient) => {
    await queries.lockBalance(client, [...owner]);
    await queries.completeOrder(client, [...owner, orderId, new Date(deps.clock.now())]);
  };
  await inOrganization(deps.database, scope.organizationId, complete, { lockWaitMs: LOCK_TIMEOUT_MS });
}
