import { readFile } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { errorCode } from '../base/error-code.ts';
import { type ConnectionTarget, clientConfig } from '../database/connections.ts';
import { withConnection } from '../database/with-connection.ts';
import { selectQueues } from './queries.ts';
import { queues } from './tasks.ts';

const UNDEFINED_TABLE = '42P01';

/**
 * Creates or updates pg-boss's own schema and missing queues, so that statements can add jobs before a worker has started.
 * The service's role may not do so later.
 */
export async function createQueues(target: ConnectionTarget, clock: Clock): Promise<void> {
  const names = Object.values(queues).map(({ name }) => name);
  const found = await withConnection(clientConfig(target, 0), (client) => selectQueues(client, [names])).catch(
    (error) => {
      if (errorCode(error) === UNDEFINED_TABLE) return [];
      throw error;
    },
  );
  const needed = await versionOfSchema();
  if (found.length === names.length && found.every(({ version }) => version >= needed)) return;
  // Loading pg-boss takes a command 100 ms.
  const { startBoss } = await import('./start-boss.ts');
  const boss = await startBoss(target, clock, { supervises: false, onError: () => undefined });
  await boss.stop({ graceful: false });
}

/** Of the installed pg-boss. */
async function versionOfSchema(): Promise<number> {
  const text = await readFile(new URL('./schema.json', import.meta.resolve('pg-boss')), 'utf8');
  return (JSON.parse(text) as { version: number }).version;
}
