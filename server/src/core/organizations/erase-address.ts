import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

const ERASED_DOMAIN = '@erased.invalid';

export const isErased = ({ email }: Pick<queries.MemberRow, 'email'>): boolean => email.endsWith(ERASED_DOMAIN);

/** Replaces a member's address by one that does not exist, and deactivates the member. */
export async function eraseAddress(
  client: PoolClient,
  { clock }: Pick<Deps, 'clock'>,
  { organization_id, member_id }: queries.MemberRow,
): Promise<queries.MemberRow[]> {
  return await queries.eraseMember(client, [
    organization_id,
    member_id,
    `${member_id}${ERASED_DOMAIN}`,
    new Date(clock.now()),
  ]);
}
