import type { Deps } from '../../core/deps.ts';
import { lockSandbox } from '../../core/sandbox/lock-sandbox.ts';
import type { DeletedContents } from '../../core/sandbox/sandbox-owner.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { restartStream } from '../../platform/events/restart-stream.ts';
import { recordEvent } from './actions.ts';
import { deleteContents } from './delete-contents.ts';

/**
 * Deletes every order, gift, balance and ledger entry of a sandbox; the keys and the sandbox itself stay. Resetting an
 * empty sandbox records nothing in the audit log.
 *
 * @param input.caller of the sandbox
 * @throws BestowError `resource_locked` while another reset of the sandbox runs
 */
export function resetSandbox(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { caller, actor }: { caller: Caller; actor: Actor },
): Promise<DeletedContents> {
  const { organizationId } = caller;
  return lockSandbox(deps, caller, async (client) => {
    const contents = await deleteContents(client, organizationId);
    const { orders_deleted, gifts_deleted } = contents;
    if (Object.values(contents).some((count) => count > 0))
      await recordEvent(client, deps, actor, {
        organizationId,
        environment: 'sandbox',
        action: 'sandbox.reset',
        details: { orders_deleted, gifts_deleted },
      });
    await restartStream(client, organizationId, new Date(deps.clock.now()));
    return contents;
  });
}
