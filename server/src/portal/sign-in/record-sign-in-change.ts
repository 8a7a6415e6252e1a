import type { SignInChange } from '../../audit/actions.ts';
import { recordEvent } from '../../audit/record-event.ts';
import { decodeId } from '../../base/ids.ts';
import { inTransaction } from '../../database/connections.ts';
import type { Deps } from '../../deps.ts';
import { findMemberships } from '../../organizations/find-memberships.ts';

/**
 * Records a change of a person's sign-in in each of their organizations. Runs after the change, because the library
 * changes the sign-in in its own transaction.
 *
 * @param address the client's IP address
 */
export async function recordSignInChange(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { email, address }: { email: string; address: string },
  change: SignInChange,
): Promise<void> {
  const memberships = await findMemberships(deps, email);
  await inTransaction(deps.database.pool, async (client) => {
    for (const { organization_id, member_id } of memberships) {
      const [organizationId, memberId] = [decodeId('org', organization_id), decodeId('mem', member_id)];
      if (organizationId === undefined || memberId === undefined) continue;
      await recordEvent(
        client,
        deps,
        { kind: 'member', memberId, email, address },
        { organizationId, action: 'member.sign_in_changed', target: member_id, details: { change } },
      );
    }
  });
}
