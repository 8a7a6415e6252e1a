import type { Actor } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import type { Deps } from '../deps.ts';
import { type BalanceChange, changeBalance } from './change-balance.ts';

/**
 * Credits a balance. The same reference again credits nothing and answers the same, so a script can retry.
 *
 * @param input `amountCents` from 1 to 9,007,199,254,740,991
 * @throws OperatorError where there is no such organization, the reference belongs to a different entry, or the balance
 *   would exceed the largest
 */
export function addFunds(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: {
    organizationId: string;
    environment: Environment;
    amountCents: number;
    reference: string | undefined;
    note: string | undefined;
    actor: Actor;
  },
): Promise<BalanceChange> {
  return changeBalance(deps, { ...input, kind: 'funding' });
}
