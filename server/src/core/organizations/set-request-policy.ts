import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { alertAdmins } from './alert-admins.ts';
import { updateRequestPolicy } from './program-queries.ts';

/** Sets whether members may ask for gifts, and emails all admins. Setting the same again changes nothing. @param organizationId UUID */
export const setRequestPolicy = (
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>,
  { organizationId, isAllowed, actor }: { organizationId: string; isAllowed: boolean; actor: Actor },
): Promise<void> =>
  inOrganization(deps.database, organizationId, async (client) => {
    const [changed] = await updateRequestPolicy(client, [organizationId, isAllowed]);
    if (changed === undefined) return;
    await recordEvent(client, deps, actor, {
      organizationId,
      action: 'gift_request_policy.set',
      details: { is_allowed: isAllowed },
    });
    await alertAdmins(client, deps, {
      organization: { organization_id: organizationId },
      change: 'request_policy_changed',
      about: isAllowed ? 'may now' : 'may no longer',
      actor,
    });
  });
