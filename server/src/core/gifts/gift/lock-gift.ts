import type { PoolClient } from 'pg';
import { type Caller, parametersOf, requireAdmitted } from '../../../platform/authentication/caller.ts';
import * as queries from './queries.ts';

/**
 * Locks a gift until the transaction ends, and returns what a simulation can change.
 *
 * @throws BestowError as `requireAdmitted`
 */
export async function lockGift(client: PoolClient, caller: Caller, giftId: string): Promise<queries.LockedGift> {
  const [row] = await queries.lockGift(client, [...parametersOf(caller), giftId]);
  requireAdmitted(caller, row);
  return row;
}
