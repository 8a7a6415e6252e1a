import type { PoolClient } from 'pg';
import type { Scope } from '../../platform/base/principal.ts';
import { lockBalance } from './lock-balance.ts';

/**
 * Waits for an order of a process that died and may still be committing: the transaction's next statement sees it, and no
 * order is placed until the transaction ends.
 */
export const waitForOrders = (
  client: PoolClient,
  { organizationId, environment }: Scope,
): ReturnType<typeof lockBalance> => lockBalance(client, organizationId, environment);
