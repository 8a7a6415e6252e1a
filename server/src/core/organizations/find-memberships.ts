import { decodeId, encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { type MembershipRow, selectMembership, selectMemberships } from './queries.ts';

/** With encoded ids. */
export type Membership = Omit<MembershipRow, 'created_at'>;

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

const present = ({ created_at: _, ...row }: MembershipRow): Membership => ({
  ...row,
  organization_id: encodeId('org', row.organization_id),
  member_id: encodeId('mem', row.member_id),
});
