import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { findMember } from './find-member.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import { updateDeactivation } from './queries.ts';

/**
 * Takes a deactivated member back; an active one stays as it is.
 *
 * @throws OperatorError where there is no such member
 */
export async function activateMember(deps: Pick<Deps, 'database'>, id: string): Promise<PresentedMember> {
  const { organizationId, memberId } = await findMember(deps, id);
  const [row] = await updateDeactivation(deps.database.read, [organizationId, memberId, null]);
  if (row === undefined) throw new OperatorError(`There is no member ${id}.`);
  return presentMember(row);
}
