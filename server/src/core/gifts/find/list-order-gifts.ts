import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import type { GiftSummary } from '../gift/portal-schema.ts';
import { selectGiftSummaries } from './search-queries.ts';
import { summarizeGift } from './summarize-gift.ts';

/** Returns an order's created gifts in submission order, for the portal. @param orderId UUID */
export async function listOrderGifts(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  orderId: string,
): Promise<GiftSummary[]> {
  const rows = await selectGiftSummaries(deps.database.pool, [organizationId, environment, orderId, null, null]);
  return rows.map(summarizeGift);
}
