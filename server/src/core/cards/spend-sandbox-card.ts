import { admitted } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { findCard } from './find-card.ts';
import { selectSandboxGiftOwner } from './queries.ts';
import { spendCard } from './spend-card.ts';

/**
 * Makes a test purchase with the card of a sandbox gift. The operator gives only the gift's id.
 *
 * @param input with the gift's id (`gift_…`)
 * @returns the cents left on the card
 * @throws OperatorError if the gift is not a claimed sandbox gift, or its card has too little left
 */
export async function spendSandboxCard(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { giftId, amountCents, actor }: { giftId: string; amountCents: number; actor: Actor },
): Promise<number> {
  const giftUuid = decodeId('gift', giftId);
  const owner =
    giftUuid === undefined ? undefined : await selectSandboxGiftOwner.find(deps.database.shards, [giftUuid]);
  if (giftUuid === undefined || owner === undefined)
    throw new OperatorError(`No sandbox has a gift ${giftId}; check the id. Live gifts are spent by their recipients.`);
  const scope = { organizationId: owner.organization_id, environment: 'sandbox' } as const;
  return inOrganization(deps.database, scope.organizationId, async (client) => {
    const database = { ...deps.database, read: client, change: client };
    const find = async () => {
      const card = await findCard({ database }, scope, giftUuid);
      if (card !== undefined) return card;
      throw new OperatorError(`${giftId} is not claimed yet; only a claimed gift can be spent.`);
    };
    const purchase = { purchaseId: deps.ids.next(), amountCents };
    const outcome = await spendCard({ ...deps, database }, admitted(scope), await find(), purchase);
    const { valueCents, spentCents } = await find();
    const leftCents = valueCents - spentCents;
    if (outcome === 'too_much')
      throw new OperatorError(`Only ${leftCents} cents are left on the card of ${giftId}; spend that or less.`);
    await recordEvent(client, deps, actor, {
      ...scope,
      action: 'card.spent',
      target: giftId,
      details: { amount_cents: amountCents },
    });
    return leftCents;
  });
}
