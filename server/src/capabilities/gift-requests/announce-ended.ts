import type { PoolClient } from 'pg';
import { appendEnds } from './erasure-queries.ts';

/** Appends the events of agents' requests that ended, as the last change of the caller's transaction. @param requestIds UUIDs */
export async function announceEnded(
  client: PoolClient,
  organizationId: string,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length > 0) await appendEnds(client, [organizationId, requestIds]);
}
