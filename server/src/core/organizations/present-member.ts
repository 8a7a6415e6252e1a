import type { RoleId } from '../../platform/authentication/roles.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { MemberRow } from './queries.ts';
import { roleIdOf } from './role-id.ts';

/** The row with its ids encoded. */
export interface PresentedMember extends Omit<MemberRow, 'role' | 'custom_role_id' | 'team_id'> {
  role: RoleId;
  /** `team_…`; null: in no team. */
  team_id: string | null;
}

export function presentMember(row: MemberRow): PresentedMember {
  return {
    member_id: encodeId('mem', row.member_id),
    organization_id: encodeId('org', row.organization_id),
    email: row.email,
    role: roleIdOf(row),
    team_id: row.team_id && encodeId('team', row.team_id),
    created_at: row.created_at,
    deactivated_at: row.deactivated_at,
    invitation: row.invitation,
  };
}
