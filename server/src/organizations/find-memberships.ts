import { encodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { type MembershipRow, selectMemberships } from './queries.ts';

/** The row, with the ids that are shown. */
export type Membership = MembershipRow;

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
