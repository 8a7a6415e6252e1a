import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { selectKeyOrganization } from './queries.ts';

/**
 * Finds a key in any organization; for the operator only.
 *
 * @returns encoded ids
 * @throws OperatorError if the key does not exist
 */
export async function findKey(
  deps: Pick<Deps, 'database'>,
  id: string,
): Promise<{ organizationId: string; keyId: string }> {
  const keyId = decodeId('key', id);
  const row = keyId === undefined ? undefined : await selectKeyOrganization.find(deps.database.shards, [keyId]);
  if (row === undefined) throw new OperatorError(`There is no key ${id}.`);
  return { organizationId: encodeId('org', row.organization_id), keyId: id };
}
