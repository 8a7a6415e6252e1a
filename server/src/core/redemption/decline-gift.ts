import type { Deps } from '../deps.ts';
import * as queries from './decline-queries.ts';
import type { LinkedGift } from './find-linked-gift.ts';

/** Records once, with its event, that the recipient of an unclaimed gift does not want it. */
export async function declineGift(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { scope, gift_id, link_version }: Pick<LinkedGift, 'scope' | 'gift_id' | 'link_version'>,
): Promise<void> {
  const now = new Date(clock.now());
  await queries.declineGift(database.change, [scope.organizationId, scope.environment, gift_id, link_version, now]);
}
