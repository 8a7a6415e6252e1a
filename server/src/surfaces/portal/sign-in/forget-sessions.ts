import { forgetOperatorSessions } from '../../../capabilities/operators/operator-session.ts';
import type { Deps } from '../../../core/deps.ts';
import { deleteFlows, deleteStrangersFailures, deleteUnusedDevices } from './flow-queries.ts';
import { deleteExpiredSessions, deleteOldPersonEvents } from './queries.ts';

/** Deletes of one run; a run happens every minute. */
const MOST_AT_A_TIME = 1_000;

const DAY_MS = 86_400_000;
const FAILURES_KEPT_DAYS = 30;
const EVENTS_KEPT_DAYS = 365;
/** As long as the cookie of a device. */
const DEVICES_KEPT_DAYS = 400;

/** Deletes sessions and sign-ins that ended at least a day ago, failures of strangers and unused devices. */
export async function forgetSessions({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const daysAgo = (days: number) => new Date(clock.now() - days * DAY_MS);
  await deleteExpiredSessions(database.home, [MOST_AT_A_TIME]);
  await forgetOperatorSessions({ database, clock });
  await deleteOldPersonEvents(database.home, [daysAgo(EVENTS_KEPT_DAYS)]);
  await deleteFlows(database.home, [daysAgo(1)]);
  await deleteStrangersFailures(database.home, [daysAgo(FAILURES_KEPT_DAYS)]);
  await deleteUnusedDevices(database.home, [daysAgo(DEVICES_KEPT_DAYS)]);
}
