import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireFreeSandbox } from '../sandbox/require-free-sandbox.ts';
import * as queries from './queries.ts';

/**
 * Stamps the gift as opened, once; opening settles a pending delivery as delivered.
 *
 * @param linkVersion of the link that opens it; a gift that was sent to another address since is missing
 * @throws BestowError `resource_missing`, `resource_locked`
 */
export async function openGift(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  giftId: string,
  linkVersion?: number,
): Promise<queries.GiftRow> {
  await requireFreeSandbox(deps, scope);
  const one = [scope.organizationId, scope.environment, giftId] as const;
  const now = new Date(deps.clock.now());
  const [gift] = await queries.openGift(deps.database.change, [...one, now, linkVersion ?? null]);
  if (gift === undefined) throw new BestowError('resource_missing');
  return gift;
}
