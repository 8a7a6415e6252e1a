import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { selectMemberOrganization } from './queries.ts';

/**
 * Finds a member in any organization; for the operator only.
 *
 * @returns encoded ids
 * @throws OperatorError if the member does not exist
 */
export async function findMember(
  deps: Pick<Deps, 'database'>,
  id: string,
): Promise<{ organizationId: string; memberId: string }> {
  const memberId = decodeId('mem', id);
  const row =
    memberId === undefined ? undefined : await selectMemberOrganization.find(deps.database.shards, [memberId]);
  if (row === undefined) throw new OperatorError(`There is no member ${id}.`);
  return { organizationId: encodeId('org', row.organization_id), memberId: id };
}
