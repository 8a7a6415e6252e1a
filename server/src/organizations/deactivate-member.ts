import type { Deps } from '../deps.ts';
import { type AdminChange, type ChangedMember, changeMember } from './change-member.ts';
import * as queries from './queries.ts';

/**
 * Deactivates a member. Deactivating again keeps the first timestamp.
 *
 * @throws OperatorError if the organization or the member does not exist, or the last active admin must stay
 */
export function deactivateMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: AdminChange,
): Promise<ChangedMember> {
  return changeMember(deps, input, {
    isDone: ({ deactivated_at }) => deactivated_at !== null,
    apply: (client, { organization_id, member_id }) =>
      queries.updateDeactivation(client, [organization_id, member_id, new Date(deps.clock.now())]),
    event: ({ email }) => ({ action: 'member.deactivated', details: { email } }),
  });
}
