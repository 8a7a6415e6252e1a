import { findLastActor } from '../../platform/audit/find-last-actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Deps } from '../deps.ts';

const CANNOT_ORDER = 'All gifts of this organization are on hold, so that it cannot order.';

/** The error of an order while all gifts of the organization (UUID) are on hold; says who lifts the hold. */
export async function refusalWhileHeld(
  { database }: { database: Pick<Deps['database'], 'read'> },
  organizationId: string,
): Promise<BestowError> {
  const actor = await findLastActor(database.read, organizationId, 'gifts.held');
  const lifts =
    actor === 'member'
      ? 'An admin of the organization set the hold and can release them in the portal, under “Settings”.'
      : 'The operator of this service set the hold: ask the operator to release them.';
  return new BestowError('organization_suspended', { message: `${CANNOT_ORDER} ${lifts}`, reason: 'gifts_on_hold' });
}
