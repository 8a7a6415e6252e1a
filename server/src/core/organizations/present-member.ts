import { encodeId } from '../../platform/base/ids.ts';
import type { MemberRow } from './queries.ts';

/** The row with its ids encoded. */
export type PresentedMember = MemberRow;

export function presentMember(row: MemberRow): PresentedMember {
  return {
    member_id: encodeId('mem', row.member_id),
    organization_id: encodeId('org', row.organization_id),
    email: row.email,
    role: row.role,
    created_at: row.created_at,
    deactivated_at: row.deactivated_at,
    invitation: row.invitation,
  };
}
