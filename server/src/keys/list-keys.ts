import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type KeyRow, selectKeys } from './queries.ts';

/** What may be shown of a key after its creation. */
export interface PresentedKey {
  key_id: string;
  environment: Environment;
  name: string;
  hint: string;
  /** As people read it; null where it was made before this was recorded. */
  created_by: string | null;
  created_at: Date;
  /** To the minute; null where it was never used. */
  last_used_at: Date | null;
  /** Null while the key is active. */
  revoked_at: Date | null;
}

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
