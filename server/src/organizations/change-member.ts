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

/** `org_…` and `mem_…` ids. */
export interface MemberChange {
  organizationId: string;
  memberId: string;
  actor: Actor;
}

/** A change that may remove an admin. */
export interface AdminChange extends MemberChange {
  /** True: refuse to remove the last active admin. */
  keepsAdmin: boolean;
}

export interface ChangedMember {
  member: PresentedMember;
  /** Whether the change removed the last active admin. */
  wasLastActiveAdmin: boolean;
}

interface Change {
  /** Whether the change was already made; then nothing is changed or recorded. */
  isDone(member: queries.MemberRow, client: PoolClient): boolean | Promise<boolean>;
  apply(client: PoolClient, member: queries.MemberRow): Promise<queries.MemberRow[]>;
  event(member: queries.MemberRow): TakenAction;
}

/**
 * Changes one member and records it. Locks the organization, so that two simultaneous changes cannot remove the last two
 * admins.
 *
 * @throws OperatorError if the organization or the member does not exist, or the last active admin must stay
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
