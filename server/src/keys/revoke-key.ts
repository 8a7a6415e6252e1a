import { decodeId, encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { type PresentedKey, presentKey } from './list-keys.ts';
import * as queries from './queries.ts';

/**
 * Ends a key for good; every process refuses it from its next request on. Revoking it again changes nothing.
 *
 * @throws OperatorError where there is no such key
 */
export async function revokeKey(
  deps: Pick<Deps, 'database' | 'clock'>,
  keyId: string,
): Promise<PresentedKey & { organization_id: string }> {
  const uuid = decodeId('key', keyId);
  const [owner] = uuid === undefined ? [] : await queries.selectKeyOrganization(deps.database.read, [uuid]);
  if (uuid === undefined || owner === undefined) throw new OperatorError(`There is no key ${keyId}.`);
  const { organization_id } = owner;
  const [row] = await queries.revokeKey(deps.database.read, [organization_id, uuid, new Date(deps.clock.now())]);
  if (row === undefined) throw new OperatorError(`There is no key ${keyId}.`);
  return { ...presentKey(row), organization_id: encodeId('org', organization_id) };
}
