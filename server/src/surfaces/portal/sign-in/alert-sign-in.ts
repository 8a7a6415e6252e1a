import type { Deps } from '../../../core/deps.ts';
import { alertAdmins } from '../../../core/organizations/alert-admins.ts';
import { findMemberships } from '../../../core/organizations/find-memberships.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { decodeId } from '../../../platform/base/ids.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';

/**
 * Emails all admins of the organizations of which this person is an admin. The client's IP address stays with the person.
 *
 * @param by who made the change, if not the person
 */
export async function alertSignIn(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  email: string,
  change: 'device_added' | 'sign_in_added' | 'sign_in_reset',
  by?: Actor,
): Promise<void> {
  for (const membership of await findMemberships(deps, email)) {
    const organizationId = decodeId('org', membership.organization_id);
    const memberId = decodeId('mem', membership.member_id);
    if (organizationId === undefined || memberId === undefined || membership.role !== 'admin') continue;
    await inOrganization(deps.database, organizationId, (client) =>
      alertAdmins(client, deps, {
        organization: { organization_id: organizationId, name: membership.organization_name },
        change,
        about: membership.email,
        actor: by ?? { kind: 'member', memberId, email: membership.email, address: 'not shown' },
      }),
    );
  }
}
