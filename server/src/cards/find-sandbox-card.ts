import { decodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { findCard } from './find-card.ts';
import type { Card } from './issuer.ts';
import { selectSandboxGiftOwner } from './queries.ts';

/**
 * The card of a sandbox's gift, which the operator names by its id alone.
 *
 * @param giftId as it is shown (`gift_…`)
 * @throws OperatorError where no sandbox has such a gift, or it is not claimed
 */
export async function findSandboxCard(deps: Pick<Deps, 'database'>, giftId: string): Promise<Card> {
  const giftUuid = decodeId('gift', giftId);
  const [owner] = giftUuid === undefined ? [] : await selectSandboxGiftOwner(deps.database.read, [giftUuid]);
  if (giftUuid === undefined || owner === undefined)
    throw new OperatorError(`No sandbox has a gift ${giftId}; check the id. Live gifts are spent by their recipients.`);
  const card = await findCard(deps, { organizationId: owner.organization_id, environment: 'sandbox' }, giftUuid);
  if (card === undefined) throw new OperatorError(`${giftId} is not claimed yet; only a claimed gift can be spent.`);
  return card;
}
