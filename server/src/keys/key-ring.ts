import type { Deps } from '../deps.ts';
import type { KeyRing } from '../http/authenticate.ts';
import { hashKey, hasValidChecksum, isLegacyKey, parseKeyPrefix } from './key-format.ts';
import { selectKeyByHash } from './queries.ts';

/** How the door recognizes keys. */
export function createKeyRing(deps: Pick<Deps, 'database'>): KeyRing {
  return {
    canBeKey: (key) => hasValidChecksum(key) || isLegacyKey(key),
    environmentOfPrefix: parseKeyPrefix,
    async find(key) {
      const [record] = await selectKeyByHash(deps.database.read, [hashKey(key)]);
      return record;
    },
  };
}
