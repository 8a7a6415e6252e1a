import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { alertAdmins } from './alert-admins.ts';
import { acceptInvitation, declineInvitation, selectOrganization } from './queries.ts';

/** `organizationId` is an `org_…` id. */
interface Answer {
  organizationId: string;
  /** Of the signed-in person. */
  email: string;
  /** The client's IP address. */
  address: string;
  isAccepted: boolean;
}

/**
 * Accepts or declines an invitation. The membership begins with the acceptance; all admins are mailed about a new admin.
 *
 * @throws BestowError `not_found` if there is no invitation for this address
 */
export async function answerInvitation(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId: id, email, address, isAccepted }: Answer,
): Promise<void> {
  const organizationId = decodeId('org', id);
  if (organizationId === undefined) throw new BestowError('not_found');
  await inOrganization(deps.database, organizationId, async (client) => {
    const answer = isAccepted ? acceptInvitation : declineInvitation;
    const [member] = await answer(client, [organizationId, email]);
    const [organization] = await selectOrganization(client, [organizationId]);
    if (member === undefined || organization === undefined) throw new BestowError('not_found');
    const actor = { kind: 'member', memberId: member.member_id, email: member.email, address } as const;
    await recordEvent(client, deps, actor, {
      organizationId,
      action: isAccepted ? 'invitation.accepted' : 'invitation.declined',
      details: {},
    });
    if (isAccepted && member.role === 'admin')
      await alertAdmins(client, deps, { organization, change: 'admin_added', about: member.email, actor });
  });
}
