import type { Deps } from '../../core/deps.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { deleteOldDrafts, endOldBatches, eraseOldRows } from './forget-queries.ts';

const DRAFT_DAYS = 1;
const ROW_DAYS = 30;
const REASON = 'The batch stopped, and no admin resumed it for 30 days.';

/** Deletes drafts after a day, those that wait for an approval when their request has expired, and after 30 days what is left of people in rows that were not bought. */
export async function forgetOldBatches({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  const nowMs = clock.now();
  const before = new Date(nowMs - ROW_DAYS * DAY_MS);
  await deleteOldDrafts(database.shards, [new Date(nowMs - DRAFT_DAYS * DAY_MS), before]);
  await endOldBatches(database.shards, [before, new Date(nowMs), REASON]);
  await eraseOldRows(database.shards, [before]);
}
