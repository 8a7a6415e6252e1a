import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { alertAdmins } from './alert-admins.ts';
import { findOrganization } from './find-organization.ts';
import { updateSecondFactorPolicy } from './queries.ts';

/**
 * Sets whether every admin needs a second factor, and emails all admins. Setting the same again changes nothing.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function setSecondFactorPolicy(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: { organizationId: string; isRequired: boolean; actor: Actor },
): Promise<void> {
  const organization = await findOrganization(deps, input.organizationId);
  const { organization_id } = organization;
  const { isRequired, actor } = input;
  await inOrganization(deps.database, organization_id, async (client) => {
    const changed = await updateSecondFactorPolicy(client, [organization_id, isRequired]);
    if (changed.length === 0) return;
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      action: 'second_factor_policy.set',
      details: { is_required: isRequired },
    });
    const change = isRequired ? 'second_factor_required' : 'second_factor_optional';
    await alertAdmins(client, deps, { organization, change, about: organization.name, actor });
  });
}
