import type { PlatformDeps } from '../deps.ts';
import { deleteOldEvents } from './queries.ts';

const DAY_MS = 86_400_000;
/** Of each stream, in one commit. */
const SLICE = 2_000;
/** In one run; the rest follow a minute later. */
const MAX_SLICES = 100;

/** Deletes events older than EVENTS_KEPT_DAYS from the beginning of each stream; safe in several processes at once. */
export async function forgetOldEvents({
  clock,
  config,
  database,
}: Pick<PlatformDeps, 'clock' | 'config' | 'database'>) {
  const before = new Date(clock.now() - config.eventsKeptDays * DAY_MS);
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const streams = await deleteOldEvents(database.shards, [before, SLICE]);
    if (streams.length === 0) return;
  }
}
