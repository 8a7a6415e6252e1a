import type { Deps } from '../deps.ts';
import { type AdminChange, type ChangedMember, changeMember } from './change-member.ts';
import * as queries from './queries.ts';

/**
 * Deactivates a member, or withdraws an invitation. Deactivating again keeps the first timestamp.
 *
 * @throws OperatorError if the organization or the member does not exist, or the last active admin must stay
 */
export function deactivateMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: AdminChange,
): Promise<ChangedMember> {
  return changeMember(deps, input, {
    isDone: ({ deactivated_at, invitation }) => deactivated_at !== null && invitation !== 'pending',
    apply: (client, { organization_id, member_id, invitation }) =>
      invitation === 'pending'
        ? queries.updateInvitation(client, [organization_id, member_id, 'ended'])
        : queries.updateDeactivation(client, [organization_id, member_id, new Date(deps.clock.now())]),
    event: ({ email, invitation }) =>
      invitation === 'pending'
        ? { action: 'invitation.withdrawn', details: { email } }
        : { action: 'member.deactivated', details: { email } },
  });
}
