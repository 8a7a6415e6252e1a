import { recordEvent } from '../audit/record-event.ts';
import { type Actor, actorName } from '../base/actor.ts';
import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import { insertMember, type MemberRow, selectMemberByEmail } from './queries.ts';

/**
 * Adds an active member and emails the invitation.
 *
 * @throws OperatorError if the organization does not exist or already has a member with this address
 */
export async function addMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'jobs'>,
  input: { organizationId: string; email: string; role: 'admin' | 'member'; actor: Actor },
): Promise<PresentedMember> {
  const { organization_id, name } = await findOrganization(deps, input.organizationId);
  const { email, role, actor } = input;
  return inTransaction(deps.database.pool, async (client) => {
    const createdAt = new Date(deps.clock.now());
    const [added] = await insertMember(client, [organization_id, deps.ids.next(), email, role, createdAt]);
    if (added === undefined)
      throw alreadyMember(email, (await selectMemberByEmail(client, [organization_id, email]))[0]);
    const member = presentMember(added);
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      action: 'member.added',
      target: member.member_id,
      details: { email, role },
    });
    const details = { organization_name: name, role, by: actorName(actor) };
    const notice = { kind: 'member_invited', details } as const;
    await queueNotices(client, deps, { organizationId: organization_id, recipients: [email], notice });
    return member;
  });
}

function alreadyMember(email: string, earlier: MemberRow | undefined): OperatorError {
  const advice = earlier?.deactivated_at ? ' but deactivated; activate them instead' : '';
  return new OperatorError(`${email} is already a member${advice}.`);
}
