import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import * as queries from './queries.ts';

/**
 * Stamps the gift as opened, once, and settles a pending delivery as delivered.
 *
 * @param linkVersion version of the link used; the gift is missing if it was redirected since
 * @throws BestowError `resource_missing`, `resource_locked`
 */
export async function openGift(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  giftId: string,
  linkVersion?: number,
): Promise<queries.GiftRow> {
  await requireUnlockedSandbox(deps, scope);
  const one = [scope.organizationId, scope.environment, giftId] as const;
  const now = new Date(deps.clock.now());
  const [gift] = await queries.openGift(deps.database.change, [...one, now, linkVersion ?? null]);
  if (gift === undefined) throw new BestowError('resource_missing');
  return gift;
}
