import { type Config, readConfig } from '../config.ts';
import { type SeededDemo, seedDemo } from '../seed/seed-demo.ts';
import type { ProcessOptions } from './open-process.ts';
import { type Opened, runUntilStopped } from './run-until-stopped.ts';
import { createService } from './service.ts';
import { startPanel } from './start-panel.ts';

interface ServeOptions extends ProcessOptions {
  /** One line of JSON takes the panel's place, and the log goes to standard error. */
  json?: boolean;
}

/**
 * Runs the service until SIGTERM, SIGINT or SIGHUP: then requests under way are answered, jobs under way finish, and the
 * embedded PostgreSQL is stopped.
 *
 * @throws OperatorError where a setting, the database or the port stands in the way; nothing is left running
 */
export async function serve(config: Config = readConfig(process.env), options: ServeOptions = {}): Promise<void> {
  const start = async ({ surroundings, description }: Opened) => {
    const service = await createService(config, surroundings, options);
    return {
      close: () => service.close(),
      async start() {
        const baseUrl = await service.listen();
        const metricsAddress = service.metricsAddress();
        // After the port is ours: keys that are shown once must not be made by a start that fails.
        const demo = config.demo ? await seedDemo(service.deps) : undefined;
        const panel = { baseUrl, metricsAddress, database: description, config, demo };
        process.stdout.write(options.json ? startLine(panel) : startPanel(panel));
        surroundings.log.info({ base_url: baseUrl, metrics_url: metricsAddress, database: description }, 'ready');
      },
    };
  };
  await runUntilStopped(config, 'server', start, options.json ? 2 : 1);
}

/** For programs: the keys are null where no organization was seeded. */
const startLine = ({ baseUrl, demo }: { baseUrl: string; demo: SeededDemo | undefined }) =>
  `${JSON.stringify({ base_url: baseUrl, sandbox_key: demo?.sandboxKey ?? null, live_key: demo?.liveKey ?? null })}\n`;
