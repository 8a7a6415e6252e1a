import type { Deps } from '../../core/deps.ts';
import { deleteBefore, selectOldestTime } from './queries.ts';

export const REQUESTS_KEPT_DAYS = 7;
const KEPT_MS = REQUESTS_KEPT_DAYS * 86_400_000;
/** At most about 2,000 rows of each server process (record-requests.ts). */
const SLICE_MS = 10_000;
/** Ten minutes per run, to catch up after a pause. */
const MAX_SLICES = 60;

/** Deletes requests older than seven days, in slices of ten seconds; safe to repeat. */
export async function pruneRequests({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const untilMs = clock.now() - KEPT_MS;
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const oldest = await selectOldestTime(database.shards, []);
    const oldestMs = Math.min(...oldest.map(({ created_at }) => created_at?.getTime() ?? untilMs));
    if (oldestMs >= untilMs) return;
    await deleteBefore(database.shards, [new Date(Math.min(oldestMs + SLICE_MS, untilMs))]);
  }
}
