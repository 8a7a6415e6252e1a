import type { PoolClient } from 'pg';
import { type Caller, parametersOf, requireAdmitted } from '../../../platform/authentication/caller.ts';
import type { Deps } from '../../deps.ts';
import { lockBalance } from './cancel-queries.ts';

/**
 * Locks the balance until the transaction ends, before any gift, as orders and their completion do.
 *
 * @returns a number of ids for ledger entries, above the balance's latest
 * @throws BestowError as `requireAdmitted`; `resource_locked`
 */
export async function lockForRefunds(
  client: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  caller: Caller,
  entries: number,
): Promise<string[]> {
  const [row] = await lockBalance(client, parametersOf(caller));
  requireAdmitted(caller, row);
  const own = row.last_id === null ? ids : ids.after(row.last_id);
  return Array.from({ length: entries }, () => own.next());
}
