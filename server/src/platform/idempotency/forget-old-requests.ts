import type { PlatformDeps } from '../deps.ts';
import { deleteRequestsBefore } from './queries.ts';

export const ANSWERS_KEPT_DAYS = 30;
const KEPT_MS = ANSWERS_KEPT_DAYS * 86_400_000;

/** Deletes what was remembered for more than 30 days; safe to repeat. */
export async function forgetOldRequests({ database, clock }: Pick<PlatformDeps, 'database' | 'clock'>): Promise<void> {
  await deleteRequestsBefore(database.shards, [new Date(clock.now() - KEPT_MS)]);
}
