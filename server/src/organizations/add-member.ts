import { encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import { insertMember, selectMemberByEmail } from './queries.ts';

/**
 * Adds an active member.
 *
 * @throws OperatorError where there is no such organization, or it has a member with this address
 */
export async function addMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: { organizationId: string; email: string; role: 'admin' | 'member' },
): Promise<PresentedMember> {
  const { organization_id } = await findOrganization(deps, input.organizationId);
  const createdAt = new Date(deps.clock.now());
  const [added] = await insertMember(deps.database.read, [
    organization_id,
    deps.ids.next(),
    input.email,
    input.role,
    createdAt,
  ]);
  if (added !== undefined) return presentMember(added);
  const [earlier] = await selectMemberByEmail(deps.database.read, [organization_id, input.email]);
  const id = earlier === undefined ? 'a member' : encodeId('mem', earlier.member_id);
  const advice = earlier?.deactivated_at ? ', which is deactivated; activate it instead' : '';
  throw new OperatorError(`${input.email} is already ${id} of ${input.organizationId}${advice}.`);
}
