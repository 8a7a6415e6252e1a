import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import type { Deps } from '../deps.ts';
import type { Card } from '../issuer/port.ts';
import { insertPurchase, selectPurchaseExists } from './queries.ts';

const MERCHANT = 'Test shop';

export interface TestPurchase {
  /** UUID; recording the same id again changes nothing. */
  purchaseId: string;
  /** 1 or more; `rest` spends the card's rest. */
  amountCents: number | 'rest';
  merchant?: string;
}

/** `too_much`: more than is left; nothing was spent. */
type SpendOutcome = 'recorded' | 'repeated' | 'too_much';

/**
 * Makes a test purchase with a simulated card; never of more than is left, even with concurrent purchases.
 *
 * @throws BestowError as `requireAdmitted`
 */
export async function spendCard(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  caller: Caller,
  { organizationId, environment, giftId, valueCents }: Card,
  { purchaseId, amountCents, merchant = MERCHANT }: TestPurchase,
): Promise<SpendOutcome> {
  // PostgreSQL's integers are smaller than JavaScript's numbers.
  if (amountCents !== 'rest' && amountCents > valueCents) return 'too_much';
  const cents = amountCents === 'rest' ? null : amountCents;
  const recorded = [...parametersOf(caller), giftId, purchaseId, merchant, cents, new Date(clock.now())] as const;
  const [row] = await insertPurchase(database.change, [...recorded]);
  requireAdmitted(caller, row);
  if (row.amount_cents !== null) return 'recorded';
  // A separate statement: the one above does not see purchases committed while it waited for the lock.
  const [earlier] = await selectPurchaseExists(database.read, [organizationId, environment, giftId, purchaseId]);
  return earlier === undefined ? 'too_much' : 'repeated';
}
