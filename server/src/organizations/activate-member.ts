import type { Deps } from '../deps.ts';
import { changeMember, type MemberChange } from './change-member.ts';
import type { PresentedMember } from './present-member.ts';
import * as queries from './queries.ts';

/**
 * Activates a deactivated member; does nothing if the member is active.
 *
 * @throws OperatorError if the organization or the member does not exist
 */
export async function activateMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: MemberChange,
): Promise<PresentedMember> {
  const change = { ...input, keepsAdmin: false };
  const { member } = await changeMember(deps, change, {
    isDone: ({ deactivated_at }) => deactivated_at === null,
    apply: (client, { organization_id, member_id }) =>
      queries.updateDeactivation(client, [organization_id, member_id, null]),
    event: ({ email }) => ({ action: 'member.activated', details: { email } }),
  });
  return member;
}
