import type { Scope } from '../base/principal.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/**
 * Creates the gifts that a `processing` order still waits for. Repeating it changes nothing, and where a reset has
 * deleted the order nothing is created: both take the balance's lock first.
 */
export function completeOrder(deps: Pick<Deps, 'database'>, scope: Scope, orderId: string): Promise<void> {
  const owner = [scope.organizationId, scope.environment] as const;
  return inTransaction(deps.database.pool, async (client) => {
    await queries.lockBalance(client, [...owner]);
    await queries.completeOrder(client, [...owner, orderId]);
  });
}
