import type { Deps } from '../deps.ts';
import type { CardIssuer } from './issuer.ts';
import { insertPurchase, selectPurchaseExists } from './queries.ts';
import { simulatedDetails } from './simulated-details.ts';

/** Issues cards that are not real and derive from their ids, so nothing is stored. */
export function createSimulatedIssuer({ database }: Pick<Deps, 'database'>): CardIssuer {
  return {
    issue: async () => undefined,
    face: async (card) => {
      const { brand, lastFour, expires } = simulatedDetails(card);
      return { brand, lastFour, expires };
    },
    reveal: async (card) => simulatedDetails(card),
    async recordSpend({ organizationId, environment, giftId, valueCents }, purchase) {
      const { purchaseId, merchant, amountCents, madeAt } = purchase;
      // PostgreSQL's integers are smaller than JavaScript's numbers.
      if (amountCents !== 'rest' && amountCents > valueCents) return 'too_much';
      const one = [organizationId, environment, giftId] as const;
      const cents = amountCents === 'rest' ? null : amountCents;
      const [recorded] = await insertPurchase(database.change, [...one, purchaseId, merchant, cents, madeAt]);
      if (recorded !== undefined) return 'recorded';
      // A separate statement: the one above does not see purchases committed while it waited for the lock.
      const [earlier] = await selectPurchaseExists(database.read, [...one, purchaseId]);
      return earlier === undefined ? 'too_much' : 'repeated';
    },
  };
}
