import type { PoolClient } from 'pg';
import { deleteSpendingOf } from './queries.ts';
import { recipientHolder } from './recipient-holder.ts';

/** Deletes a recipient's counters in the caller's transaction: a guessed address would match their hash. */
export async function forgetRecipient(client: PoolClient, organizationId: string, address: string): Promise<void> {
  await deleteSpendingOf(client, [organizationId, recipientHolder(organizationId, address)]);
}
