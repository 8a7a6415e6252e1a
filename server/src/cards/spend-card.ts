import type { Deps } from '../deps.ts';
import type { Card, SpendOutcome } from './issuer.ts';

const MERCHANT = 'Test shop';

export interface TestPurchase {
  purchaseId: string;
  amountCents: number | 'rest';
}

export function spendCard(
  deps: Pick<Deps, 'cards' | 'clock'>,
  card: Card,
  { purchaseId, amountCents }: TestPurchase,
): Promise<SpendOutcome> {
  const madeAt = new Date(deps.clock.now());
  return deps.cards[card.environment].recordSpend(card, { purchaseId, amountCents, merchant: MERCHANT, madeAt });
}
