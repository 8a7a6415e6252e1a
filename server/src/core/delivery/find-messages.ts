import { sortById } from '../../platform/database/sort-by-id.ts';
import type { DeliveryReference } from '../../platform/messaging/reference.ts';
import type { Deps } from '../deps.ts';
import { type MessageRow, selectLatestMessages, selectMessage } from './queries.ts';

type FindDeps = { database: Pick<Deps['database'], 'read' | 'shards'> };

/** Finds the message of one delivery; undefined if it does not exist. */
export async function findMessage(
  { database }: FindDeps,
  { organizationId, environment, giftId, deliveryId }: DeliveryReference,
): Promise<MessageRow | undefined> {
  const [row] = await selectMessage(database.read, [organizationId, environment, giftId, deliveryId]);
  return row;
}

/**
 * Lists the latest messages of all organizations, newest first.
 *
 * @param failed only live messages that were refused or are being retried
 */
export async function listLatestMessages(
  { database }: FindDeps,
  limit: number,
  failed: boolean,
): Promise<MessageRow[]> {
  const rows = await selectLatestMessages(database.shards, [limit, failed]);
  return sortById(rows, 'delivery_id').slice(-limit).reverse();
}
