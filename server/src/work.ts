import type { Config } from './config.ts';
import { createDeps } from './create-deps.ts';
import { createWorker } from './jobs/worker.ts';
import { addressOfServer } from './local-address.ts';
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
    const deps = await createDeps(config, surroundings, () => address);
    const worker = await createWorker(deps);
    return {
      async close() {
        await worker.stop();
        await deps.keyUse.stop();
        await deps.database.close();
      },
      async start() {
        await worker.start();
        process.stdout.write(`\nBestow’s worker is ready, on ${description}.\nStop it with Ctrl-C.\n\n`);
        surroundings.log.info({ database: description }, 'ready');
      },
    };
  });
}
