import { BestowError } from '../../../platform/base/errors.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { lockUnheld as lock } from './hold-queries.ts';

/**
 * Decides that what follows comes before any hold: a hold that began earlier is awaited, a later one waits for the
 * transaction.
 *
 * @throws BestowError `gift_on_hold`
 */
export async function lockUnheld(
  connection: Parameters<typeof lock>[0],
  { organizationId, environment }: Scope,
  giftId: string,
): Promise<void> {
  if ((await lock(connection, [organizationId, environment, giftId])).length === 0)
    throw new BestowError('gift_on_hold');
}
