import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import * as queries from './queries.ts';

/**
 * Stamps the gift as opened, once; opening settles a pending delivery as delivered.
 *
 * @throws BestowError `resource_missing`
 */
export async function openGift(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  giftId: string,
): Promise<queries.GiftRow> {
  const now = new Date(deps.clock.now());
  const [gift] = await queries.openGift(deps.database.read, [scope.organizationId, scope.environment, giftId, now]);
  if (gift === undefined) throw new BestowError('resource_missing');
  return gift;
}
