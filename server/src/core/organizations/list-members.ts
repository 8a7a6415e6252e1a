import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import { selectMembers } from './queries.ts';

/**
 * Lists all members of an organization, oldest first, including deactivated ones.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function listMembers(deps: Pick<Deps, 'database'>, organizationId: string): Promise<PresentedMember[]> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const rows = await selectMembers(deps.database.read, [organization_id]);
  return rows.map(presentMember);
}
