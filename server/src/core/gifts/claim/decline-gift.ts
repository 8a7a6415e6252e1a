import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import * as queries from './decline-queries.ts';

/** Records once, with its event, that the recipient of an unclaimed gift does not want it. */
export async function declineGift(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { scope, gift_id, link_version }: { scope: Scope; gift_id: string; link_version: number },
): Promise<void> {
  const now = new Date(clock.now());
  await queries.declineGift(database.change, [scope.organizationId, scope.environment, gift_id, link_version, now]);
}
