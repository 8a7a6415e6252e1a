import type { Deps } from '../deps.ts';
import { changeMember, type MemberChange } from './change-member.ts';
import type { PresentedMember } from './present-member.ts';
import * as queries from './queries.ts';

/**
 * Takes a deactivated member back; an active one stays as it is.
 *
 * @throws OperatorError where there is no such organization or it has no such member
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
