import { BestowError } from '../../../platform/base/errors.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import { selectHold } from './hold-queries.ts';

/** @throws BestowError `gift_canceled`, `gift_on_hold` */
export async function requireNotHeld(
  { database }: { database: Pick<Deps['database'], 'read'> },
  { organizationId, environment }: Scope,
  giftId: string,
): Promise<void> {
  const [gift] = await selectHold(database.read, [organizationId, environment, giftId]);
  if (gift !== undefined && gift.canceled_at !== null) throw new BestowError('gift_canceled');
  if (gift?.held_by != null) throw new BestowError('gift_on_hold');
}
