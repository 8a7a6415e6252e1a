import { encodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { selectMemberships } from './queries.ts';

/** An organization that a person is an active member of. */
export interface Membership {
  organization_id: string;
  organization_name: string;
  member_id: string;
  /** As the organization spells it. */
  email: string;
  role: 'admin' | 'member';
  is_suspended: boolean;
  has_sandbox: boolean;
}

/** Where the person with this address is an active member, the longest-standing membership first. */
export async function findMemberships(
  deps: { database: Pick<Deps['database'], 'read'> },
  email: string,
): Promise<Membership[]> {
  const rows = await selectMemberships(deps.database.read, [email]);
  return rows.map((row) => ({
    ...row,
    organization_id: encodeId('org', row.organization_id),
    member_id: encodeId('mem', row.member_id),
  }));
}
