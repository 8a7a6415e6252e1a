import type { Scope } from '../base/principal.ts';
import { inTransaction, waitBrieflyForLocks } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { requireFreeSandbox } from '../sandbox/require-free-sandbox.ts';
import * as queries from './queries.ts';

/**
 * Creates the gifts that a `processing` order still waits for. Repeating it changes nothing, and where a reset has
 * deleted the order nothing is created: both take the balance's lock first. While one goes on its job is tried again later,
 * and holds no connection.
 *
 * @throws BestowError `resource_locked` while the sandbox is being reset
 */
export async function completeOrder(deps: Pick<Deps, 'database'>, scope: Scope, orderId: string): Promise<void> {
  const owner = [scope.organizationId, scope.environment] as const;
  await requireFreeSandbox(deps, scope);
  await inTransaction(deps.database.pool, async (client) => {
    await waitBrieflyForLocks(client);
    await queries.lockBalance(client, [...owner]);
    await queries.completeOrder(client, [...owner, orderId]);
  });
}
