import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findSandboxCard } from './find-sandbox-card.ts';
import { createSimulatedIssuer } from './simulated-issuer.ts';
import { spendCard } from './spend-card.ts';

/**
 * Makes a test purchase with the card of a sandbox's gift, which the operator names by its id alone.
 *
 * @param input with the gift's id as it is shown (`gift_…`)
 * @returns the cents that are left on the card
 * @throws OperatorError where no sandbox has such a gift, it is not claimed, or its card does not hold as much
 */
export function spendSandboxCard(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { giftId, amountCents, actor }: { giftId: string; amountCents: number; actor: Actor },
): Promise<number> {
  return inTransaction(deps.database.pool, async (client) => {
    // The same acts, on the transaction's connection.
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
