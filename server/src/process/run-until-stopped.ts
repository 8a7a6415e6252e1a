import { once } from 'node:events';
import type { Logger } from 'pino';
import { systemClock } from '../base/clock.ts';
import { within } from '../base/within.ts';
import type { Config } from '../config.ts';
import type { Surroundings } from '../create-deps.ts';
import type { Role } from '../embedded-postgres/session.ts';
import { linkSecretsOf } from '../redemption/link-secret.ts';
import { createLog } from './create-log.ts';
import { openDatabase } from './open-database.ts';

/** How long a stop may take before what is left is cut off, as a job that does not end; connections are a second before. */
const STOP_WITHIN_MS = 10_000;
const LOG_WITHIN_MS = 1_000;

/** What a process runs: a service, or a worker. */
interface Running {
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface Opened {
  surroundings: Surroundings;
  /** What the database is and where it lies. */
  description: string;
}

/**
 * Opens the database, starts, and closes again at SIGTERM, SIGINT or SIGHUP; then the process ends.
 *
 * @param logFile where the log goes: standard output, or error
 * @param role a server is the only one on its embedded PostgreSQL, and makes it; commands run beside it, or start it
 * @throws OperatorError where a setting, the database or the port stands in the way; nothing is left running
 */
export async function runUntilStopped(
  config: Config,
  role: Role,
  open: (opened: Opened) => Promise<Running>,
  logFile: 1 | 2 = 1,
): Promise<void> {
  // A log that nobody reads any more (`npm start | head`) ends a command, but no service.
  process.stdout.removeAllListeners('error').on('error', () => undefined);
  const log = createLog(config, logFile);
  const stop = watchForStop();
  await run(config, role, { log, stop, open });
  log.info('stopped');
  await flush(log);
  // A connection that was cut off may keep the process alive; everything is written by now.
  process.exit(0);
}

/** Aborted by the first signal to stop, whose name is the reason. */
function watchForStop(): AbortSignal {
  const stop = new AbortController();
  // A repeated signal changes nothing: npm passes on one that the terminal has sent already.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stop.abort(name));
  return stop.signal;
}

interface Run {
  log: Logger;
  stop: AbortSignal;
  open(opened: Opened): Promise<Running>;
}

async function run(config: Config, role: Role, { log, stop, open }: Run): Promise<void> {
  // Before anything is started that would have to be stopped again.
  if (config.databaseUrl !== undefined) await linkSecretsOf(config);
  const tell = (message: string) => log.error(message);
  // A worker under a mistyped DATA_DIR would wait there for work for ever.
  const opening = openDatabase(config, role, tell, { creates: role === 'server' });
  const opened = await opening.catch((error: unknown) => {
    // Ctrl-C also reaches what a first start has under way, such as initdb.
    if (!stop.aborted) throw error;
  });
  if (opened === undefined) return;
  try {
    if (stop.aborted) return;
    const { target, description } = opened;
    const linkSecrets = await linkSecretsOf(config);
    const running = await open({ surroundings: { target, clock: systemClock, log, linkSecrets }, description });
    try {
      if (stop.aborted) return;
      await running.start();
      if (!stop.aborted) await once(stop, 'abort');
      log.info({ signal: stop.reason }, 'stopping');
    } finally {
      await within(STOP_WITHIN_MS, running.close(), () =>
        log.error('Requests or jobs did not end in time and were cut off.'),
      );
    }
  } finally {
    await opened.close();
  }
}

/** An exit while a block is being written would write the last lines before it. Whoever reads the log may be slow, or gone. */
async function flush(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await within(LOG_WITHIN_MS, written, () => undefined);
}
