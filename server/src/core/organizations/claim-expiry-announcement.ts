import type { Queryable } from '../../platform/database/statement.ts';
import * as queries from './program-queries.ts';

/**
 * Claims the announcement of gifts that expire, for the transaction that sends it.
 *
 * @param organizationId UUID
 * @returns whom it is about; undefined if another process has claimed it, or one was sent since the given time
 */
export async function claimExpiryAnnouncement(
  database: Queryable,
  organizationId: string,
  { announcedBefore, now }: { announcedBefore: Date; now: Date },
): Promise<{ name: string; billing_contact_email: string | null } | undefined> {
  const [claimed] = await queries.claimExpiryAnnouncement(database, [organizationId, announcedBefore, now]);
  return claimed;
}
