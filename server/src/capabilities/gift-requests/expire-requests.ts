import type { Deps } from '../../core/deps.ts';
import { DAY_MS, idBefore } from '../../platform/base/id-time.ts';
import { expireRequests as expire } from './queries.ts';

const OPEN_DAYS = 30;

/** An order of a process that died is committed or gone by then. */
const CLAIM_DAYS = 1;

/** When a request ends that no one decides. */
export const expiryOf = ({ created_at }: { created_at: Date }): Date =>
  new Date(created_at.getTime() + OPEN_DAYS * DAY_MS);

/** Ends requests that no one decided for 30 days, and forgets their gifts. */
export async function expireRequests(deps: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  const nowMs = deps.clock.now();
  const before = new Date(nowMs - OPEN_DAYS * DAY_MS);
  await expire(deps.database.shards, [before, idBefore(new Date(nowMs - CLAIM_DAYS * DAY_MS)), new Date(nowMs)]);
}
