import type { PoolClient } from 'pg';
import { idBefore } from '../../platform/base/id-time.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { markCapped } from '../balances/mark-balance.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';
import { startsOf } from './window.ts';

/** In cents; null: no cap. */
export type CapAmounts = Record<queries.Period, number | null>;

interface CapChange extends Scope {
  /** UUID of the organization, of the first of keys that replaced one another, of a grant, a member or a team. */
  holderId: string;
  /** A period that is left out stays as it is. */
  amounts: Partial<CapAmounts>;
  /** The balance's latest id; the transaction has locked the balance. */
  lastId: string;
  /** Whether orders must see another change of the transaction too. */
  isMore?: boolean;
}

/** @throws OperatorError if an amount is out of bounds */
export function requireCapAmounts(amounts: Partial<CapAmounts>): void {
  for (const cents of Object.values(amounts))
    if (cents !== null && !(Number.isSafeInteger(cents) && cents >= 1))
      throw new OperatorError(`A cap must be a whole number of cents from 1 to ${Number.MAX_SAFE_INTEGER}.`);
}

/** Sets the caps of a holder that has not ordered yet, in the caller's transaction. */
export async function setFirstCaps(
  client: PoolClient,
  { organizationId, environment, holderId, amounts }: Omit<CapChange, 'lastId'>,
): Promise<void> {
  for (const [period, cents] of Object.entries(amounts))
    if (cents !== null)
      await queries.setCap(client, [organizationId, environment, holderId, period as queries.Period, cents]);
}

/**
 * Changes caps in the caller's transaction. What was ordered in the current window counts. When the transaction commits, no
 * order exceeds the new caps.
 *
 * @returns undefined if nothing changed
 */
export async function changeCaps(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { organizationId, environment, holderId, amounts, lastId, isMore = false }: CapChange,
): Promise<{ before: CapAmounts; after: CapAmounts } | undefined> {
  const holder = [organizationId, environment, holderId] as const;
  const before: CapAmounts = { order: null, recipient: null, hour: null, day: null, month: null, life: null };
  for (const { period, cap_cents } of await queries.selectCapsOfHolder(client, [...holder])) before[period] = cap_cents;
  const after = { ...before, ...amounts };
  const changed = Object.entries(after).filter(([period, cents]) => cents !== before[period as queries.Period]);
  if (changed.length === 0 && !isMore) return undefined;
  for (const [period, cents] of changed as [queries.Period, number | null][]) {
    if (cents === null) await queries.deleteCap(client, [...holder, period]);
    else await queries.setCap(client, [...holder, period, cents]);
    if (cents !== null) await count(client, deps, [...holder, period]);
  }
  await letOrdersSee(client, deps, { organizationId, environment }, lastId);
  return { before, after };
}

/** Lets an agent's orders that began before see the change of the caller's transaction, which has locked the balance. */
export async function letOrdersSee(
  client: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  { organizationId, environment }: Scope,
  lastId: string,
): Promise<void> {
  await markCapped(client, [organizationId, environment], ids.after(lastId).next());
}

/** In a separate statement after the balance's lock, so that it sees all orders before. */
async function count(
  client: PoolClient,
  { clock }: Pick<Deps, 'clock'>,
  [organizationId, environment, holderId, period]: readonly [string, Scope['environment'], string, queries.Period],
): Promise<void> {
  if (period === 'life') await queries.countLife(client, [organizationId, environment, holderId]);
  if (period !== 'hour' && period !== 'day' && period !== 'month') return;
  const windowStartedAt = startsOf(clock.now())[period];
  await queries.countSpending(client, [
    organizationId,
    environment,
    holderId,
    period,
    windowStartedAt,
    idBefore(windowStartedAt),
  ]);
}

/** Whether an amount was raised or removed. */
export const isRaised = <Name extends string>({
  before,
  after,
}: Record<'before' | 'after', Record<Name, number | null>>): boolean =>
  Object.entries<number | null>(after).some(([name, cents]) => {
    const earlier = before[name as Name];
    return earlier !== null && (cents === null || cents > earlier);
  });
