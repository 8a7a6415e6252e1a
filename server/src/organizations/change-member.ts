import type { PoolClient } from 'pg';
import type { TakenAction } from '../audit/actions.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { decodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { lockOrganization } from './lock-organization.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import * as queries from './queries.ts';

/** Which member of which organization, by their shown ids, and who changes it. */
export interface MemberChange {
  organizationId: string;
  memberId: string;
  actor: Actor;
}

/** A change that may take an admin away. */
export interface AdminChange extends MemberChange {
  /** True: refused where it would leave the organization without an active admin. */
  keepsAdmin: boolean;
}

export interface ChangedMember {
  member: PresentedMember;
  /** Whether this left the organization without an active admin. */
  wasLastActiveAdmin: boolean;
}

interface Change {
  /** Whether the member is so already; then nothing is changed or recorded. */
  isDone(member: queries.MemberRow, client: PoolClient): boolean | Promise<boolean>;
  apply(client: PoolClient, member: queries.MemberRow): Promise<queries.MemberRow[]>;
  event(member: queries.MemberRow): TakenAction;
}

/**
 * Changes one member and records it. All such changes of an organization go one after another, so that of two admins who
 * leave at the same moment the second is known to be the last.
 *
 * @throws OperatorError where there is no such organization or it has no such member, or the last active admin must stay
 */
export async function changeMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, memberId, actor, keepsAdmin }: AdminChange,
  { isDone, apply, event }: Change,
): Promise<ChangedMember> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const uuid = decodeId('mem', memberId);
  return inTransaction(deps.database.pool, async (client) => {
    await lockOrganization(client, organization_id);
    const [before] = uuid === undefined ? [] : await queries.selectMember(client, [organization_id, uuid]);
    if (before === undefined) throw new OperatorError(`There is no member ${memberId}.`);
    if (await isDone(before, client)) return { member: presentMember(before), wasLastActiveAdmin: false };
    const [after] = await apply(client, before);
    const [admins] = await queries.countActiveAdmins(client, [organization_id]);
    const wasLastActiveAdmin = isActiveAdmin(before) && admins?.count === 0;
    if (wasLastActiveAdmin && keepsAdmin)
      throw new OperatorError(`${before.email} is the last active admin; make another member an admin first.`);
    const owner = { organizationId: organization_id, target: memberId };
    await recordEvent(client, deps, actor, { ...owner, ...event(before) });
    return { member: presentMember(after as queries.MemberRow), wasLastActiveAdmin };
  });
}

const isActiveAdmin = ({ role, deactivated_at }: queries.MemberRow) => role === 'admin' && deactivated_at === null;
