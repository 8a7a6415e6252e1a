import { encodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { type MembershipRow, selectMemberships } from './queries.ts';

/** The row with its ids encoded. */
export type Membership = MembershipRow;

/** Lists the organizations in which this address is an active member, oldest membership first. */
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
