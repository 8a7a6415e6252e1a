import type { ClientBase } from 'pg';
import { deleteNoticesTo as deleteTo } from './queries.ts';

/** Deletes all mails to an address, also those that wait; ignores case. @param organizationId UUID */
export async function deleteNoticesTo(client: ClientBase, organizationId: string, address: string): Promise<void> {
  await deleteTo(client, [organizationId, address]);
}
