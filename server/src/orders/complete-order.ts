import type { Scope } from '../base/principal.ts';
import { inTransaction, waitBrieflyForLocks } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import * as queries from './queries.ts';

/**
 * Creates the remaining gifts of a `processing` order. Safe to repeat. If a reset deleted the order, nothing is created:
 * both lock the balance first.
 *
 * @throws BestowError `resource_locked` while the sandbox is being reset; the job is retried
 */
export async function completeOrder(deps: Pick<Deps, 'database'>, scope: Scope, orderId: string): Promise<void> {
  const owner = [scope.organizationId, scope.environment] as const;
  await requireUnlockedSandbox(deps, scope);
  await inTransaction(deps.database.pool, async (client) => {
    await waitBrieflyForLocks(client);
    await queries.lockBalance(client, [...owner]);
    await queries.completeOrder(client, [...owner, orderId]);
  });
}
