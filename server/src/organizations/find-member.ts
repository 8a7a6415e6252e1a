import { decodeId, encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { selectMemberOrganization } from './queries.ts';

/**
 * Whose member it is that the operator names by a `mem_…` id alone. Not for anyone else: it looks into every
 * organization.
 *
 * @returns shown ids
 * @throws OperatorError where there is no such member
 */
export async function findMember(
  deps: Pick<Deps, 'database'>,
  id: string,
): Promise<{ organizationId: string; memberId: string }> {
  const memberId = decodeId('mem', id);
  const [row] = memberId === undefined ? [] : await selectMemberOrganization(deps.database.read, [memberId]);
  if (row === undefined) throw new OperatorError(`There is no member ${id}.`);
  return { organizationId: encodeId('org', row.organization_id), memberId: id };
}
