import type { MemberPermission } from '../../platform/authentication/permissions.ts';
import { type RoleId, roles } from '../../platform/authentication/roles.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { type MembershipRow, selectMembership, selectMemberships } from './membership-queries.ts';
import { roleIdOf } from './role-id.ts';

/** With encoded ids. */
export interface Membership
  extends Omit<MembershipRow, 'created_at' | 'role' | 'team_member_ids' | `custom_${string}`> {
  role: RoleId;
  /** For people, such as `Support`. */
  role_name: string;
  /** What the role includes now. */
  permissions: MemberPermission[];
  /** UUIDs of those whose gifts the role reaches; null: everyone’s. */
  reach: readonly string[] | null;
}

type FindDeps = { database: Pick<Deps['database'], 'shards'> };

/**
 * Lists the organizations in which this address is an active member, oldest membership first. Leaves out those of a shard
 * that does not answer.
 */
export async function findMemberships({ database }: FindDeps, email: string): Promise<Membership[]> {
  return inOrder(await selectMemberships.ofLiving(database.shards, [email]));
}

/** The same, but fails if a shard does not answer. */
export const findEveryMembership = async ({ database }: FindDeps, email: string): Promise<Membership[]> =>
  inOrder(await selectMemberships(database.shards, [email]));

const inOrder = (rows: MembershipRow[]) =>
  rows
    .toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.member_id < b.member_id ? -1 : 1))
    .map(present);

/** Finds the active membership of this address in one organization (`org_…`). */
export async function findMembership(
  deps: { database: Pick<Deps['database'], 'read'> },
  organizationId: string,
  email: string,
): Promise<Membership | undefined> {
  const uuid = decodeId('org', organizationId);
  const [row] = uuid === undefined ? [] : await selectMembership(deps.database.read, [uuid, email]);
  return row && present(row);
}

const present = ({
  created_at: _,
  role,
  custom_role_id,
  custom_role_name,
  custom_permissions,
  team_member_ids,
  ...row
}: MembershipRow): Membership => {
  const permissions: MemberPermission[] = role === 'custom' ? (custom_permissions ?? []) : [...roles[role].permissions];
  return {
    ...row,
    organization_id: encodeId('org', row.organization_id),
    member_id: encodeId('mem', row.member_id),
    team_id: row.team_id && encodeId('team', row.team_id),
    role: roleIdOf({ role, custom_role_id }),
    role_name: role === 'custom' ? (custom_role_name ?? '') : roles[role].name,
    // The organization decides whether members may ask for gifts.
    permissions: permissions.filter((one) => one !== 'request' || row.members_may_request),
    reach: permissions.includes('others') ? null : team_member_ids,
  };
};
