import type { SignInChange } from '../../audit/actions.ts';
import { recordEvent } from '../../audit/record-event.ts';
import { decodeId } from '../../base/ids.ts';
import { inTransaction } from '../../database/connections.ts';
import type { Deps } from '../../deps.ts';
import { findMemberships } from '../../organizations/find-memberships.ts';

/**
 * Records in every organization of a person what they changed of their own sign-in. Right after the change, not with it: the
 * library of the sign-in makes it in a transaction of its own.
 *
 * @param person whose sign-in it is; `address` is the client's
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
