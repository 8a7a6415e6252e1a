import { recipientHolder } from '../caps/recipient-holder.ts';
import type { Deps } from '../deps.ts';
import { insertUnsubscribed } from './queries.ts';

/** Ends the reminders of an organization to an address. @param organizationId UUID */
export async function endReminders(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  organizationId: string,
  address: string,
): Promise<void> {
  const holder = recipientHolder(organizationId, address);
  await insertUnsubscribed(database.pool, [organizationId, holder, new Date(clock.now())]);
}
