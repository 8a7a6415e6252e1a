import { encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { type InvitationRow, selectInvitations } from './queries.ts';

/** Lists the invitations that wait for this address, with encoded ids. Leaves out those of a shard that does not answer. */
export async function findInvitations(
  { database }: { database: Pick<Deps['database'], 'shards'> },
  email: string,
): Promise<InvitationRow[]> {
  const rows = await selectInvitations.ofLiving(database.shards, [email]);
  return rows.map((row) => ({ ...row, organization_id: encodeId('org', row.organization_id) }));
}
