import { DAY_MS } from '../../platform/base/id-time.ts';
import type { Deps } from '../deps.ts';
import { deleteSpendingBefore } from './queries.ts';

/** No hour or day is longer, and no month. */
const KEPT_DAYS = 2;
export const SPENDING_KEPT_DAYS = 32;

/** Deletes counters of windows that are over, and with them the hashes of recipients' addresses. */
export async function forgetOldSpending({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock.now() - days * DAY_MS);
  await deleteSpendingBefore(database.shards, [before(KEPT_DAYS), before(SPENDING_KEPT_DAYS)]);
}
