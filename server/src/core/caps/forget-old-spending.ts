import type { Deps } from '../deps.ts';
import { deleteSpendingBefore } from './queries.ts';

/** Two days: no window is longer than one. */
export const SPENDING_KEPT_DAYS = 2;
const KEPT_MS = SPENDING_KEPT_DAYS * 86_400_000;

/** Deletes counters of windows that are over, and with them the hashes of recipients' addresses. */
export async function forgetOldSpending({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await deleteSpendingBefore(database.shards, [new Date(clock.now() - KEPT_MS)]);
}
