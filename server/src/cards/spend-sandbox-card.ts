import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { decodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findCard } from './find-card.ts';
import type { Card } from './issuer.ts';
import { selectSandboxGiftOwner } from './queries.ts';
import { createSimulatedIssuer } from './simulated-issuer.ts';
import { spendCard } from './spend-card.ts';

/**
 * Makes a test purchase with the card of a sandbox gift. The operator gives only the gift's id.
 *
 * @param input with the gift's id (`gift_…`)
 * @returns the cents left on the card
 * @throws OperatorError if the gift is not a claimed sandbox gift, or its card has too little left
 */
export function spendSandboxCard(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { giftId, amountCents, actor }: { giftId: string; amountCents: number; actor: Actor },
): Promise<number> {
  return inTransaction(deps.database.pool, async (client) => {
    const database = { ...deps.database, read: client, change: client };
    const issuer = createSimulatedIssuer({ database });
    const card = await findSandboxCard({ database }, giftId);
    const purchase = { purchaseId: deps.ids.next(), amountCents };
    const outcome = await spendCard({ ...deps, cards: { live: issuer, sandbox: issuer } }, card, purchase);
    const { valueCents, spentCents, organizationId, environment } = await findSandboxCard({ database }, giftId);
    const leftCents = valueCents - spentCents;
    if (outcome === 'too_much')
      throw new OperatorError(`Only ${leftCents} cents are left on the card of ${giftId}; spend that or less.`);
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      action: 'card.spent',
      target: giftId,
      details: { amount_cents: amountCents },
    });
    return leftCents;
  });
}

async function findSandboxCard(deps: Pick<Deps, 'database'>, giftId: string): Promise<Card> {
  const giftUuid = decodeId('gift', giftId);
  const [owner] = giftUuid === undefined ? [] : await selectSandboxGiftOwner(deps.database.read, [giftUuid]);
  if (giftUuid === undefined || owner === undefined)
    throw new OperatorError(`No sandbox has a gift ${giftId}; check the id. Live gifts are spent by their recipients.`);
  const card = await findCard(deps, { organizationId: owner.organization_id, environment: 'sandbox' }, giftUuid);
  if (card === undefined) throw new OperatorError(`${giftId} is not claimed yet; only a claimed gift can be spent.`);
  return card;
}
