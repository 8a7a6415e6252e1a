import type { Deps } from '../deps.ts';
import type { KeyRing } from '../http/authenticate.ts';
import { hashKey, hasValidChecksum } from './key-format.ts';
import { selectKeyByHash } from './queries.ts';

const LONGEST_KEY = 200;

/** How the door recognizes keys. */
export function createKeyRing(deps: Pick<Deps, 'database'>): KeyRing {
  return {
    canBeKey: (key) =>
      key.startsWith('bestow-') ? hasValidChecksum(key) : key.startsWith('sk_') && key.length <= LONGEST_KEY,
    environmentOfPrefix(key) {
      // The prefix of a live key begins a sandbox key too, so the longer one is looked for first.
      if (key.startsWith('bestow-sandbox-')) return 'sandbox';
      return key.startsWith('bestow-') ? 'live' : undefined;
    },
    async find(key) {
      const [record] = await selectKeyByHash(deps.database.read, [hashKey(key)]);
      return record;
    },
  };
}
