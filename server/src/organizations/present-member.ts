import { encodeId } from '../base/ids.ts';
import type { MemberRow } from './queries.ts';

export interface PresentedMember {
  member_id: string;
  organization_id: string;
  email: string;
  role: 'admin' | 'member';
  created_at: Date;
  /** Null while the member is active. */
  deactivated_at: Date | null;
}

export function presentMember(row: MemberRow): PresentedMember {
  return {
    member_id: encodeId('mem', row.member_id),
    organization_id: encodeId('org', row.organization_id),
    email: row.email,
    role: row.role,
    created_at: row.created_at,
    deactivated_at: row.deactivated_at,
  };
}
