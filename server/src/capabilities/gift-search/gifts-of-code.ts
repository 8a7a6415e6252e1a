import type { Deps } from '../../core/deps.ts';
import { type FoundGiftRow, selectByCode, selectShops } from './queries.ts';

/** More than any operator has. */
const MOST_SHOPS = 1_000;

/** Finds the gift that a code of a shop was handed out for. @param search.value the code, as the recipient reads it */
export async function giftsOfCode(
  { database, cipher }: Pick<Deps, 'database' | 'cipher'>,
  { value, limit, isComplete }: { value: string; limit: number; isComplete: boolean },
): Promise<FoundGiftRow[]> {
  const shops = await (isComplete ? selectShops : selectShops.ofLiving)(database.shards, [MOST_SHOPS]);
  if (shops.length === 0) return [];
  const fingerprints = shops.map(({ shop }) => cipher.fingerprint(`${shop}\n${value}`));
  return (isComplete ? selectByCode : selectByCode.ofLiving)(database.shards, [fingerprints.join(','), limit]);
}
