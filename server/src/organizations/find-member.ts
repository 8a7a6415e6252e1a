import { decodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { selectMemberOrganization } from './queries.ts';

/**
 * The UUIDs of a member whom the operator names by a `mem_…` id alone. Not for anyone else: it looks into every
 * organization.
 *
 * @throws OperatorError where there is no such member
 */
export async function findMember(
  deps: Pick<Deps, 'database'>,
  id: string,
): Promise<{ organizationId: string; memberId: string }> {
  const memberId = decodeId('mem', id);
  const [row] = memberId === undefined ? [] : await selectMemberOrganization(deps.database.read, [memberId]);
  if (memberId === undefined || row === undefined) throw new OperatorError(`There is no member ${id}.`);
  return { organizationId: row.organization_id, memberId };
}
