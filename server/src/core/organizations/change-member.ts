import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import type { AccessChange } from '../notices/notice.ts';
import { recordEvent, type TakenOrganizationAction } from './actions.ts';
import { alertAdmins } from './alert-admins.ts';
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
  isDone(member: queries.MemberRow): boolean | Promise<boolean>;
  apply(
    client: PoolClient,
    member: queries.MemberRow,
    organization: queries.OrganizationRow,
  ): Promise<queries.MemberRow[]>;
  event(member: queries.MemberRow): TakenOrganizationAction;
  /** The mail to every admin. */
  alert?: AccessChange;
}

/**
 * Changes one member and records it. Locks the organization, so that two simultaneous changes cannot remove the last two
 * admins.
 *
 * @throws OperatorError if the organization or the member does not exist, or the last active admin must stay
 */
export async function changeMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId, memberId, actor, keepsAdmin }: AdminChange,
  { isDone, apply, event, alert }: Change,
): Promise<ChangedMember> {
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const uuid = decodeId('mem', memberId);
  return inOrganization(deps.database, organization_id, async (client) => {
    await lockOrganization(client, organization_id);
    const [before] = uuid === undefined ? [] : await queries.selectMember(client, [organization_id, uuid]);
    if (before === undefined) throw new OperatorError(`There is no member ${memberId}.`);
    if (await isDone(before)) return { member: presentMember(before), wasLastActiveAdmin: false };
    const [after] = await apply(client, before, organization);
    const [admins] = await queries.countActiveAdmins(client, [organization_id]);
    const wasLastActiveAdmin = isActiveAdmin(before) && admins?.count === 0;
    if (wasLastActiveAdmin && keepsAdmin)
      throw new OperatorError(`${before.email} is the last active admin; make another member an admin first.`);
    const owner = { organizationId: organization_id, target: memberId };
    await recordEvent(client, deps, actor, { ...owner, ...event(before) });
    if (alert !== undefined)
      await alertAdmins(client, deps, { organization, change: alert, about: before.email, actor });
    return { member: presentMember(after as queries.MemberRow), wasLastActiveAdmin };
  });
}

const isActiveAdmin = ({ role, deactivated_at }: queries.MemberRow) => role === 'admin' && deactivated_at === null;
