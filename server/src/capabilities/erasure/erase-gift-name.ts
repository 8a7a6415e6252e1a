import type { Deps } from '../../core/deps.ts';
import { findGiftOwner } from '../../core/gifts/hold/find-gift-owner.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import { eraseGiftName as erase, eraseHolder } from './gift-queries.ts';

/**
 * Erases the recipient's name and the message from one gift, such as a link gift, which has no address to find it by.
 *
 * @param input with the gift's id (`gift_…`)
 * @returns the number of erased names: 0 or 1
 * @throws OperatorError if there is no such gift
 */
export async function eraseGiftName(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  input: { giftId: string; actor: Actor },
): Promise<number> {
  const { scope, giftId } = await findGiftOwner(deps, input.giftId);
  return inOrganization(deps.database, scope.organizationId, async (client) => {
    const now = new Date(deps.clock.now());
    await eraseHolder(client, [scope.organizationId, scope.environment, giftId, now]);
    const erased = await erase(client, [scope.organizationId, scope.environment, giftId]);
    if (erased.length > 0)
      await recordEvent(client, deps, input.actor, {
        organizationId: scope.organizationId,
        action: 'recipient.erased',
        details: { gifts: 1, orders_processing: 0 },
      });
    return erased.length;
  });
}
