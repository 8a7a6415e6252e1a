import type { Config } from '../../platform/configuration/config.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { openProcess, runUntilStopped } from './run.ts';

/**
 * Works on jobs without serving requests, until SIGTERM, SIGINT or SIGHUP. Jobs under way finish first.
 *
 * @throws OperatorError if a setting or the database prevents the start
 */
export async function work(config: Config): Promise<void> {
  const address = addressOfServer(config);
  // A worker may share the embedded PostgreSQL with the server.
  await runUntilStopped(config, 'command', async ({ surroundings, description }) => {
    const { start, close } = await openProcess(config, surroundings, () => address);
    return {
      close: () => close(),
      async start() {
        const metricsAddress = await start();
        const metrics = metricsAddress === undefined ? '' : `Its metrics are at ${metricsAddress}.\n`;
        process.stdout.write(`\nBestow’s worker is ready, on ${description}.\n${metrics}Stop it with Ctrl-C.\n\n`);
        surroundings.log.info({ database: description, metrics_url: metricsAddress }, 'ready');
      },
    };
  });
}
