import type { Actor } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import type { Deps } from '../deps.ts';
import { type BalanceChange, changeBalance } from './change-balance.ts';

/**
 * Corrects a balance by a signed amount; the note says why. The same reference again changes nothing and answers the same.
 *
 * @throws OperatorError where there is no such organization, the reference belongs to a different entry, or the balance
 *   would fall below zero or exceed the largest
 */
export function adjustBalance(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: {
    organizationId: string;
    environment: Environment;
    amountCents: number;
    reference: string | undefined;
    note: string;
    actor: Actor;
  },
): Promise<BalanceChange> {
  return changeBalance(deps, { ...input, kind: 'adjustment' });
}
