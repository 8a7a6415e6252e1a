import { randomUUID } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { EndpointRun } from './endpoint-run.ts';
import { leaseEndpoints } from './push-queries.ts';
import { LEASE_MS } from './run-results.ts';
import type { Sender } from './send-push.ts';

const MAX_ENDPOINTS = 100;

/** Pushes by this sender what is due at the clock's time, once for each endpoint. */
export async function pushOnce(
  { clock, config, database, cipher }: Pick<Deps, 'clock' | 'config' | 'database' | 'cipher'>,
  sender: Sender,
): Promise<void> {
  const leaseId = randomUUID();
  const now = new Date(clock.now());
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const run = { clock, cipher, sender, isStopping: () => false, onAttempt: () => undefined };
  for (const server of database.servers)
    for (const isFailing of [false, true]) {
      const lease = [config.serveEnvironments, now, leaseId, leasedUntil, isFailing, MAX_ENDPOINTS] as const;
      for (const endpoint of await leaseEndpoints([server.pool], [...lease]))
        await new EndpointRun({ ...run, database: server }, endpoint, leaseId).run();
    }
}
