import type { Deps } from '../deps.ts';
import { insertUnsubscribed } from './queries.ts';

/** Ends the reminders of an organization to an address. @param organizationId UUID */
export async function endReminders(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  organizationId: string,
  address: string,
): Promise<void> {
  await insertUnsubscribed(database.pool, [organizationId, address, new Date(clock.now())]);
}
