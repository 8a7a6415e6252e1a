import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { DELETED_WITHIN_MS, type DeletedContents, deleteContents } from './delete-contents.ts';

/**
 * Empties an organization's sandbox: every order, gift, balance and ledger entry; keys and the sandbox itself stay. One
 * that is empty already is left as it is, and nothing is recorded.
 *
 * @param input with the organization's UUID
 */
export function resetSandbox(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<DeletedContents> {
  return inTransaction(
    deps.database.pool,
    async (client) => {
      const contents = await deleteContents(client, organizationId);
      const { orders_deleted, gifts_deleted } = contents;
      if (Object.values(contents).some((count) => count > 0))
        await recordEvent(client, deps, actor, {
          organizationId,
          environment: 'sandbox',
          action: 'sandbox.reset',
          details: { orders_deleted, gifts_deleted },
        });
      return contents;
    },
    DELETED_WITHIN_MS,
  );
}
