import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import * as queries from './queries.ts';
import { requireGift } from './retrieve-gift.ts';

/**
 * Spends what is left on the gift's card; where nothing is left, nothing changes.
 *
 * @throws BestowError `resource_missing`, `gift_not_claimed`
 */
export async function spendGift(deps: Pick<Deps, 'database'>, scope: Scope, giftId: string): Promise<queries.GiftRow> {
  const [spent] = await queries.spendGift(deps.database.read, [scope.organizationId, scope.environment, giftId]);
  if (spent !== undefined) return spent;
  await requireGift(deps, scope, giftId);
  throw new BestowError('gift_not_claimed');
}
