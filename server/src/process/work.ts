import type { Config } from '../config.ts';
import { addressOfServer } from '../server-address.ts';
import { openProcess } from './open-process.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/**
 * Works on the queues alone, until the same signals: messages under way are finished first.
 *
 * @throws OperatorError where a setting or the database stands in the way
 */
export async function work(config: Config): Promise<void> {
  const address = addressOfServer(config);
  // A command may use the embedded PostgreSQL beside the server, or start it where there is none.
  await runUntilStopped(config, 'command', async ({ surroundings, description }) => {
    const { start, close } = await openProcess(config, surroundings, () => address);
    return {
      close: () => close(),
      async start() {
        const metricsAddress = await start();
        const measured = metricsAddress === undefined ? '' : `Its metrics are at ${metricsAddress}.\n`;
        process.stdout.write(`\nBestow’s worker is ready, on ${description}.\n${measured}Stop it with Ctrl-C.\n\n`);
        surroundings.log.info({ database: description, metrics_url: metricsAddress }, 'ready');
      },
    };
  });
}
