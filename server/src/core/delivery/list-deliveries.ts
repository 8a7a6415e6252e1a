import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { type GiftDelivery, selectDeliveries } from './message-queries.ts';

/** Covers five redirects and many renewed links. */
const MAX_SHOWN = 50;

/** Lists the latest messages about a gift, oldest first. @param giftId UUID */
export async function listDeliveries(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
): Promise<GiftDelivery[]> {
  const rows = await selectDeliveries(deps.database.pool, [organizationId, environment, giftId, MAX_SHOWN]);
  return rows.reverse();
}
