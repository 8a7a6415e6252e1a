import { DAY_MS, idBefore } from '../../platform/base/id-time.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { Deps } from '../deps.ts';
import * as queries from './entry-queries.ts';
import type { Statement } from './portal-schema.ts';

/** The sums of one UTC day: entries and signed cents. */
export type LedgerDay = Statement['days'][number];

interface LedgerDays {
  opening_balance: number;
  closing_balance: number;
  /** Every day of the range, earliest first. */
  days: LedgerDay[];
}

/**
 * Sums the entries of each day by kind; an entry belongs to the day of its id. Orders are not summed one by one: their sum
 * is the change of the balance minus the other entries.
 *
 * @param from the start of the first day
 * @param to the end of the last day
 */
export async function sumDays(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  from: Date,
  to: Date,
): Promise<LedgerDays> {
  const owner = [organizationId, environment] as const;
  const days = Array.from(
    { length: (to.getTime() - from.getTime()) / DAY_MS },
    (_, n) => new Date(from.getTime() + n * DAY_MS),
  );
  const ids = [...days, to].map(idBefore);
  const read = async (client: Queryable) => {
    const boundaries = await queries.selectBoundaries(client, [...owner, ids]);
    const balances = boundaries.map(balanceAt);
    for (const [n, balance] of [...balances.entries()].reverse())
      if (balance === undefined) balances[n] = await addUp(client, owner, ids, n, balances[n + 1]);
    return { boundaries, balances, others: await queries.sumOthers(client, [...owner, ids]) };
  };
  // One snapshot: an entry that only one statement sees would count as an order.
  const snapshot = { isSnapshot: true };
  const { boundaries, balances, others } = await inOrganization(deps.database, organizationId, read, snapshot);
  const sumOf = (n: number, kind: 'funding' | 'adjustment' | 'refund'): LedgerDay['funding'] => {
    const sum = others.find((other) => other.n === n && other.kind === kind);
    return { entries: sum?.entries ?? 0, amount: sum?.amount_cents ?? 0 };
  };
  return {
    opening_balance: balances[0] ?? 0,
    closing_balance: balances.at(-1) ?? 0,
    days: days.map((day, n) => {
      const [funding, adjustment, refund] = [sumOf(n, 'funding'), sumOf(n, 'adjustment'), sumOf(n, 'refund')];
      const change = (balances[n + 1] ?? 0) - (balances[n] ?? 0);
      const order = {
        entries: (boundaries[n]?.entries ?? 0) - funding.entries - adjustment.entries - refund.entries,
        // `+ 0` turns -0 into 0.
        amount: change - funding.amount - adjustment.amount - refund.amount + 0,
      };
      return { day, funding, adjustment, order, refund };
    }),
  };
}

/**
 * Derives the balance at a boundary from its neighbours; undefined if they disagree. They can, because an order's id is
 * created before the order waits for the balance's lock, so a later funding may have a higher id.
 */
function balanceAt({ before_cents, after_cents, balance_cents }: queries.BoundaryRow): number | undefined {
  if (after_cents === null) return 0;
  if (before_cents === null) return balance_cents;
  return before_cents === after_cents ? before_cents : undefined;
}

/** Computes the balance at a boundary from the next boundary, or by summing from the first entry. */
async function addUp(
  database: Queryable,
  owner: readonly [organizationId: string, environment: Scope['environment']],
  ids: readonly string[],
  n: number,
  nextBalance: number | undefined,
): Promise<number> {
  const [here, next] = [ids[n] as string, ids[n + 1]];
  const range = next === undefined || nextBalance === undefined ? [idBefore(new Date(0)), here] : [here, next];
  const [row] = await queries.sumEntries(database, [...owner, range[0] as string, range[1] as string]);
  const sum = row?.sum_cents ?? 0;
  return next === undefined || nextBalance === undefined ? sum : nextBalance - sum;
}
