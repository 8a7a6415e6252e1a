import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import type { Deps } from '../deps.ts';
import { type DeletedContents, deleteContents } from './delete-contents.ts';
import { holdSandbox } from './hold-sandbox.ts';

/**
 * Empties an organization's sandbox: every order, gift, balance and ledger entry; keys and the sandbox itself stay. One
 * that is empty already is left as it is, and nothing is recorded.
 *
 * @param input with the organization's UUID
 * @throws BestowError `resource_locked` while another reset of it takes its time
 */
export function resetSandbox(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<DeletedContents> {
  return holdSandbox(deps, organizationId, async (client) => {
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
  });
}
