import { encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type KeyRow, selectKeys } from './queries.ts';

/** The row with its id encoded. */
export type PresentedKey = KeyRow;

/**
 * Lists all keys of an organization, oldest first, including revoked ones.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function listKeys(deps: Pick<Deps, 'database'>, organizationId: string): Promise<PresentedKey[]> {
  const organization = await findOrganization(deps, organizationId);
  const rows = await selectKeys(deps.database.read, [organization.organization_id]);
  return rows.map(presentKey);
}

export function presentKey(row: KeyRow): PresentedKey {
  return { ...row, key_id: encodeId('key', row.key_id) };
}
