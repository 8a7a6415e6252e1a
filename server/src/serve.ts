import { type Config, readConfig } from './config.ts';
import { seedDemo } from './organizations/seed-demo.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { createService, type ServiceOptions } from './service.ts';
import { startPanel } from './start-panel.ts';

/**
 * Runs the service until SIGTERM, SIGINT or SIGHUP: then requests under way are answered, jobs under way finish, and the
 * embedded PostgreSQL is stopped.
 *
 * @throws OperatorError where a setting, the database or the port stands in the way; nothing is left running
 */
export async function serve(config: Config = readConfig(process.env), options: ServiceOptions = {}): Promise<void> {
  await runUntilStopped(config, 'server', async ({ surroundings, description }) => {
    const service = await createService(config, surroundings, options);
    return {
      close: () => service.close(),
      async start() {
        const baseUrl = await service.listen();
        const metricsAddress = service.metricsAddress();
        // After the port is ours: keys that are shown once must not be made by a start that fails.
        const demo = config.demo ? await seedDemo(service.deps) : undefined;
        process.stdout.write(startPanel({ baseUrl, metricsAddress, database: description, config, demo }));
        surroundings.log.info({ base_url: baseUrl, metrics_url: metricsAddress, database: description }, 'ready');
      },
    };
  });
}
