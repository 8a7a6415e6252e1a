import type { PoolClient } from 'pg';
import { appendReset, deleteSandboxEvents } from './queries.ts';

/**
 * Begins a sandbox's stream of events again with `sandbox.reset`, as the last change of the caller's transaction.
 * Sequences go on rising.
 *
 * @param organizationId UUID
 */
export async function restartStream(client: PoolClient, organizationId: string, now: Date): Promise<void> {
  // First, because it locks the counter: events of keys may come until then.
  const [reset] = await appendReset(client, [organizationId, now]);
  await deleteSandboxEvents(client, [organizationId, reset?.last_sequence ?? 0]);
}
