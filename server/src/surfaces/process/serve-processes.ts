import cluster from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { explainListenError } from '../../platform/base/explain-listen-error.ts';
import { createIdGenerator } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { localAddress } from '../../platform/configuration/server-address.ts';
import { openConnections } from '../../platform/database/connect-shards.ts';
import { openChannels } from '../../platform/messaging/channels.ts';
import { openSummedMetrics } from '../metrics/open-metrics.ts';
import { findDemoAdmin, seedDemo } from '../seed/seed-demo.ts';
import { ALIVE_EACH_MS, KILL_AFTER_MS, keepProcesses, type Report } from './keep-processes.ts';
import { type Opened, type Running, runUntilStopped } from './run.ts';
import { announce, createService, type ServeOptions } from './serve.ts';
import type { Started } from './start-panel.ts';

/**
 * Runs the service in `PROCESSES` processes until SIGTERM, SIGINT or SIGHUP. The first process owns the embedded
 * PostgreSQL and the port, and serves no request itself. If it is killed, Node ends the others at once.
 *
 * @throws OperatorError if a setting, the database or the port prevents the start; all is closed then
 */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const logFile = options.json ? 2 : 1;
  if (cluster.isPrimary)
    await runUntilStopped(config, 'server', (opened) => openFirst(config, options, opened), logFile);
  else await runUntilStopped(config, 'command', (opened) => openOther(config, options, opened), logFile).catch(report);
}

async function openFirst(config: Config, options: ServeOptions, opened: Opened): Promise<Running> {
  const { surroundings, description, stop } = opened;
  const { log } = surroundings;
  const port = await findPort(config);
  const baseUrl = config.publicUrl ?? localAddress(config.host, port);
  // Only to tell which messages lack a provider.
  const hasChannels = config.metricsPort !== undefined && options.works !== false;
  const channels = hasChannels ? await openChannels(config, log, () => baseUrl) : undefined;
  const metrics = await openSummedMetrics(config, { ...surroundings, channels, backupFile: config.backupFile });
  const processes = keepProcesses({ count: config.processes, port, log });
  return {
    closesWithinMs: KILL_AFTER_MS + 500,
    async start() {
      const metricsAddress = await metrics?.listen();
      await Promise.race([processes.start(), once(stop, 'abort')]);
      if (stop.aborted) return;
      // Once all listen: a start that fails must not create keys, which are shown once.
      const seeded = config.demo ? await seed(surroundings) : { demo: undefined };
      await announce({ baseUrl, metricsAddress, database: description, config, ...seeded }, surroundings, options);
    },
    async close() {
      await processes.stop();
      await metrics?.close();
      for (const channel of Object.values(channels ?? {})) await channel?.close();
    },
  };
}

async function openOther(config: Config, options: ServeOptions, { surroundings }: Opened): Promise<Running> {
  const service = await createService(config, surroundings, { ...options, sharesMetrics: true });
  let living: NodeJS.Timeout | undefined;
  return {
    async close() {
      await service.close();
      clearInterval(living);
    },
    async start() {
      await service.listen();
      await tell({ state: 'ready' });
      living = setInterval(() => void tell({ state: 'alive' }), ALIVE_EACH_MS);
    },
  };
}

/** Leaves a refusal to the first process, so that the operator reads it once. */
async function report(error: unknown): Promise<never> {
  if (!(error instanceof OperatorError)) throw error;
  await tell({ state: 'refused', reason: error.message });
  process.exit(1);
}

const tell = (message: Report) => new Promise<unknown>((resolve) => process.send?.(message, resolve));

/**
 * Checks that the port is free, and chooses it if PORT is 0. The processes then open it through the first one.
 *
 * @throws OperatorError if the port or host cannot be used
 */
async function findPort({ host, port }: Config): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw explainListenError(error, { host, port, portSetting: 'PORT' });
  }
  const address = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return address.port;
}

async function seed(surroundings: Opened['surroundings']): Promise<Pick<Started, 'demo' | 'demoAdmin'>> {
  const { clock } = surroundings;
  // The query reports a lost connection.
  const database = openConnections(surroundings, () => undefined);
  try {
    const demo = await seedDemo({ database, clock, ids: createIdGenerator(clock) }, { hasLiveFunds: false });
    return { demo, demoAdmin: await findDemoAdmin({ database }) };
  } finally {
    await database.close();
  }
}
