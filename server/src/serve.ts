import { type Logger, pino } from 'pino';
import { systemClock } from './base/clock.ts';
import { type Config, readConfig } from './config.ts';
import { openDatabase } from './database/open.ts';
import { seedDemo } from './organizations/seed-demo.ts';
import { readLinkSecret } from './redemption/link-secret.ts';
import { createService } from './service.ts';
import { startPanel } from './start-panel.ts';

/** How long a stop may take before what is left is cut off; a request itself is bounded by less. */
const STOP_WITHIN_MS = 10_000;

/**
 * Runs the service until SIGTERM or SIGINT: then requests under way are answered, jobs under way finish, and the embedded
 * PostgreSQL is stopped.
 *
 * @throws OperatorError where a setting, the database or the port stands in the way; nothing is left running
 */
export async function serve(config: Config = readConfig(process.env)): Promise<void> {
  const log = createLog(config);
  // A repeated signal changes nothing: npm passes on one that the terminal has sent already.
  const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
    process.on('SIGTERM', resolve).on('SIGINT', resolve);
  });
  const opened = await openDatabase(config, 'server', (message) => log.error(message));
  try {
    const { dataDir } = config;
    const linkSecrets = config.linkSecrets.length > 0 ? config.linkSecrets : [await readLinkSecret(dataDir)];
    const service = await createService(config, { target: opened.target, clock: systemClock, log, linkSecrets });
    try {
      const baseUrl = await service.listen();
      // After the port is ours: keys that are shown once must not be made by a start that fails.
      const demo = config.demo ? await seedDemo(service.deps) : undefined;
      process.stdout.write(startPanel({ baseUrl, database: opened.description, config, demo }));
      log.info({ base_url: baseUrl, database: opened.description }, 'ready');
      const signal = await stopSignal;
      log.info({ signal }, 'stopping');
    } finally {
      await within(STOP_WITHIN_MS, service.close(), () =>
        log.error('Requests or jobs did not end in time and were cut off.'),
      );
    }
  } finally {
    await opened.close();
    log.info('stopped');
    log.flush();
  }
  // A connection that was cut off may keep the process alive; everything is written by now.
  process.exit(0);
}

function createLog({ logLevel }: Config): Logger {
  // Written in blocks, off the path of a request: what is buffered is written every second and at exit.
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 });
  return pino({ level: logLevel, base: { pid: process.pid } }, destination);
}

async function within(limitMs: number, act: Promise<void>, onTimeout: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onTimeout();
      resolve();
    }, limitMs);
  });
  await Promise.race([act, limit]);
  clearTimeout(timer);
}
