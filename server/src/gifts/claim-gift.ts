import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import * as queries from './queries.ts';
import { requireGift } from './retrieve-gift.ts';

/**
 * Redeems the gift onto a card: exactly once, however many try at the same moment. A gift never opened is opened by it.
 *
 * @throws BestowError `resource_missing`, `gift_already_redeemed`
 */
export async function claimGift(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  scope: Scope,
  giftId: string,
): Promise<queries.GiftRow> {
  const now = new Date(deps.clock.now());
  const one = [scope.organizationId, scope.environment, giftId] as const;
  const [claimed] = await queries.claimGift(deps.database.read, [...one, now, deps.ids.next()]);
  if (claimed !== undefined) return claimed;
  await requireGift(deps, scope, giftId);
  throw new BestowError('gift_already_redeemed');
}
