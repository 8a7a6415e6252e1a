import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { type DeletedContents, deleteContents } from './delete-contents.ts';

/**
 * Empties an organization's sandbox: every order, gift, balance and ledger entry; keys and the sandbox itself stay.
 *
 * @param organizationId UUID
 */
export function resetSandbox(deps: Pick<Deps, 'database'>, organizationId: string): Promise<DeletedContents> {
  return inTransaction(deps.database.pool, (client) => deleteContents(client, organizationId));
}
