import type { Deps } from '../../core/deps.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { deleteSandboxRow } from '../../core/sandbox/delete-row.ts';
import { lockSandbox } from '../../core/sandbox/lock-sandbox.ts';
import type { DeletedContents } from '../../core/sandbox/sandbox-owner.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { restartStream } from '../../platform/events/restart-stream.ts';
import { recordEvent } from './actions.ts';
import { deleteContents } from './delete-contents.ts';

/**
 * Deletes an organization's sandbox and its contents. The keys stay, and get `sandbox_missing` until a sandbox is created
 * again.
 *
 * @throws OperatorError if the organization does not exist or has no sandbox
 * @throws BestowError `resource_locked` while it is being reset or deleted
 */
export async function deleteSandbox(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<DeletedContents & { organization_id: string }> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const caller = admitted({ organizationId: organization_id, environment: 'sandbox' });
  return lockSandbox(deps, caller, async (client) => {
    const contents = await deleteContents(client, organization_id);
    if (!(await deleteSandboxRow(client, organization_id)))
      throw new OperatorError(`${organizationId} has no sandbox.`);
    const { orders_deleted, gifts_deleted } = contents;
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      action: 'sandbox.deleted',
      details: { orders_deleted, gifts_deleted },
    });
    await restartStream(client, organization_id, new Date(deps.clock.now()));
    return { organization_id: encodeId('org', organization_id), ...contents };
  });
}
