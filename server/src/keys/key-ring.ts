import type { KeyRecord, KeyRing } from '../authentication/authenticate.ts';
import { RecentMap } from '../base/recent-map.ts';
import type { Deps } from '../deps.ts';
import { hashKey, hasValidChecksum, isLegacyKey, parseKeyPrefix } from './key-format.ts';
import { selectKeyByHash } from './queries.ts';

/** About 3 MB. */
const MAX_KEYS_REMEMBERED = 10_000;

/** Finds keys for authentication. */
export function createKeyRing(deps: Pick<Deps, 'database'>): KeyRing {
  // Indexed by hash, so that memory holds a usable key only during its request.
  const found = new RecentMap<string, KeyRecord>(MAX_KEYS_REMEMBERED);
  return {
    canBeKey: (key) => hasValidChecksum(key) || isLegacyKey(key),
    environmentOfPrefix: parseKeyPrefix,
    async find(key) {
      const hash = hashKey(key);
      const [record] = await selectKeyByHash(deps.database.read, [hash]);
      if (record !== undefined) found.set(hash.toString('latin1'), record);
      return record;
    },
    recall: (key) => found.get(hashKey(key).toString('latin1')),
  };
}
