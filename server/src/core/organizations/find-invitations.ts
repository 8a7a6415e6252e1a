import type { RoleId } from '../../platform/authentication/roles.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { type InvitationRow, selectInvitations } from './queries.ts';
import { roleIdOf } from './role-id.ts';

interface Invitation extends Omit<InvitationRow, 'role' | 'custom_role_id'> {
  role: RoleId;
}

/** Lists the invitations that wait for this address, with encoded ids. Leaves out those of a shard that does not answer. */
export async function findInvitations(
  { database }: { database: Pick<Deps['database'], 'shards'> },
  email: string,
): Promise<Invitation[]> {
  const rows = await selectInvitations.ofLiving(database.shards, [email]);
  return rows.map(({ organization_id, role, custom_role_id, ...row }) => ({
    ...row,
    organization_id: encodeId('org', organization_id),
    role: roleIdOf({ role, custom_role_id }),
  }));
}
