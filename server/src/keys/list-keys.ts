import { encodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type KeyRow, selectKeys } from './queries.ts';

/** What may be shown of a key after its creation: the row, with the id that is shown. */
export type PresentedKey = KeyRow;

/**
 * All keys of an organization, the oldest first, revoked ones too.
 *
 * @throws OperatorError where there is no such organization
 */
export async function listKeys(deps: Pick<Deps, 'database'>, organizationId: string): Promise<PresentedKey[]> {
  const organization = await findOrganization(deps, organizationId);
  const rows = await selectKeys(deps.database.read, [organization.organization_id]);
  return rows.map(presentKey);
}

export function presentKey(row: KeyRow): PresentedKey {
  return { ...row, key_id: encodeId('key', row.key_id) };
}
