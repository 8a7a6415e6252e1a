import type { Fact } from '../../../core/issuer/port.ts';
import type { StripeClient } from '../../stripe/open-stripe.ts';

const WON = 'won_';

/**
 * Adds to a card's limit what came back by refunds and won disputes, because `all_time` counts purchases only. The limit is
 * computed from Stripe's own records, so that a repetition changes nothing.
 */
export async function raiseLimit(client: StripeClient, fact: Fact): Promise<void> {
  const isWon = fact.kind === 'disputed' && fact.outcome === 'won';
  if (fact.kind !== 'refunded' && !isWon) return;
  const card = await client.issuing.cards.retrieve(fact.providerId);
  const valueCents = Number(card.metadata['value_cents']);
  if (card.status === 'canceled' || !Number.isSafeInteger(valueCents)) return;
  const metadata = isWon ? { ...card.metadata, [WON + fact.disputeId]: String(fact.amountCents) } : card.metadata;
  let limit = valueCents;
  for (const [name, cents] of Object.entries(metadata)) if (name.startsWith(WON)) limit += Number(cents);
  for await (const { amount } of client.issuing.transactions.list({ card: card.id, type: 'refund', limit: 100 }))
    limit += Math.abs(amount);
  if (card.spending_controls.spending_limits?.[0]?.amount === limit) return;
  await client.issuing.cards.update(card.id, {
    metadata,
    spending_controls: { spending_limits: [{ amount: limit, interval: 'all_time' }] },
  });
}
