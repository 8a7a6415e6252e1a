import { once } from 'node:events';
import type { Logger } from 'pino';
import { watchHistory } from '../../capabilities/restores/watch-history.ts';
import { systemClock } from '../../platform/base/clock.ts';
import { within } from '../../platform/base/within.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Targets } from '../../platform/database/connect-shards.ts';
import { leaveRoot } from '../../platform/embedded-postgres/leave-root.ts';
import type { Role } from '../../platform/embedded-postgres/session.ts';
import { agreeOnSettings } from '../../platform/installation/agree.ts';
import { createLog } from '../../platform/installation/create-log.ts';
import { findKnownSecrets } from '../../platform/installation/link-secret.ts';
import { openDatabase } from '../../platform/installation/open-database.ts';
import { openTracer } from '../../platform/tracing/open-tracer.ts';
import type { AllDeps } from '../deps.ts';
import { openMeter } from '../metrics/open-meter.ts';
import { openMetrics, shareMetrics } from '../metrics/open-metrics.ts';
import { createDeps, type Surroundings } from './create-deps.ts';
import { createWorker } from './worker.ts';

/** After this time a stop no longer waits for jobs; requests have one second less. */
export const STOP_WITHIN_MS = 10_000;
export const LOG_WITHIN_MS = 1_000;

/** A service or a worker. */
export interface Running {
  start(): Promise<void>;
  close(): Promise<void>;
  /** For the close, if not `STOP_WITHIN_MS`. */
  closesWithinMs?: number;
}

export interface Opened {
  surroundings: Surroundings & Targets;
  /** The database's version and location. */
  description: string;
  /** Aborted by the first signal to stop. */
  stop: AbortSignal;
}

/**
 * Opens the database, starts, and closes all at SIGTERM, SIGINT or SIGHUP; then the process ends.
 *
 * @param logFile standard output (1) or standard error (2)
 * @param role a server owns its embedded PostgreSQL and creates it; commands share or start it
 * @throws OperatorError if a setting, the database or the port prevents the start; all is closed then
 */
export async function runUntilStopped(
  config: Config,
  role: Role,
  open: (opened: Opened) => Promise<Running>,
  logFile: 1 | 2 = 1,
): Promise<void> {
  // A closed log (`npm start | head`) ends a command, but not a service.
  process.stdout.removeAllListeners('error').on('error', () => undefined);
  const log = createLog(config, logFile);
  const stop = watchForStop();
  await run(config, role, { log, stop, open });
  log.info('stopped');
  // The reader may be slow or gone.
  await within(LOG_WITHIN_MS, new Promise<void>((resolve) => log.flush(() => resolve())), () => undefined);
  // A connection that was cut off may keep the process alive.
  process.exit(0);
}

/** Aborts at the first signal to stop, with the signal's name as the reason. */
function watchForStop(): AbortSignal {
  const stop = new AbortController();
  // npm repeats a signal that the terminal has sent; abort ignores the second one.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stop.abort(name));
  return stop.signal;
}

interface Run {
  log: Logger;
  stop: AbortSignal;
  open(opened: Opened): Promise<Running>;
}

async function run(config: Config, role: Role, { log, stop, open }: Run): Promise<void> {
  // Checked before anything is started.
  if (config.databaseUrls.length > 0) await findKnownSecrets(config);
  // A worker creates no database: with a mistyped DATA_DIR it would wait for jobs forever.
  const creates = role === 'server';
  const reason = await leaveRoot(config, { creates });
  if (reason !== undefined) log.debug(reason);
  const opening = openDatabase(config, role, (message) => log.error(message), { creates });
  const opened = await opening.catch((error: unknown) => {
    // Ctrl-C also stops the programs of a first start, such as initdb.
    if (!stop.aborted) throw error;
  });
  if (opened === undefined) return;
  try {
    if (stop.aborted) return;
    const { servers, homeTarget, description } = opened;
    const linkSecrets = await agreeOnSettings(config, [...servers, ...(homeTarget ? [homeTarget] : [])]);
    const surroundings = { servers, homeTarget, clock: systemClock, log, linkSecrets };
    const running = await open({ surroundings, description, stop });
    try {
      if (stop.aborted) return;
      await running.start();
      if (!stop.aborted) await once(stop, 'abort');
      log.info({ signal: stop.reason }, 'stopping');
    } finally {
      await within(running.closesWithinMs ?? STOP_WITHIN_MS, running.close(), () =>
        log.error('Requests or jobs did not end in time and were cut off.'),
      );
    }
  } finally {
    await opened.close();
  }
}

export interface ProcessOptions {
  /** False leaves the jobs to separate workers. */
  works?: boolean;
  /** True lets the first process ask for this one's metrics, instead of serving them. */
  sharesMetrics?: boolean;
}

interface OpenProcess {
  deps: AllDeps;
  /** Starts the work on jobs. Returns the address of the metrics, undefined without METRICS_PORT. */
  start(): Promise<string | undefined>;
  /** Lets requests (`endRequests`) and jobs under way finish, then closes every connection. */
  close(endRequests?: () => Promise<void>): Promise<void>;
}

/** Opens what a service and a worker share. */
export async function openProcess(
  config: Config,
  surroundings: Surroundings,
  publicUrl: () => string,
  { works = true, sharesMetrics = false }: ProcessOptions = {},
): Promise<OpenProcess> {
  const { meter, registry } = await openMeter(config);
  const { tracer, close: closeTracer } = await openTracer(config, surroundings.log);
  const deps = await createDeps(config, surroundings, publicUrl, { meter, tracer });
  const worker = works ? await createWorker(deps) : undefined;
  // Before the first request.
  await deps.clockWatch.start((server, isRight) => {
    const isOfServers = server < deps.database.servers.length;
    if (isOfServers) deps.jobs.pause(server, !isRight);
    else deps.homeJobs?.pause(0, !isRight);
  });
  const { servers, homeTarget } = surroundings;
  const history = watchHistory(deps);
  const measured = { ...deps, servers, homeTarget, channels: worker?.channels, backupFile: config.backupFile };
  const metrics = sharesMetrics
    ? await shareMetrics(registry, deps.database)
    : await openMetrics(config, registry, measured);
  return {
    deps,
    async start() {
      const metricsAddress = await metrics?.listen();
      await history.start();
      await worker?.start();
      return metricsAddress;
    },
    async close(endRequests) {
      // At the same time, so that the worker takes no job while a slow client delays the stop.
      await Promise.all([endRequests?.(), worker?.stop()]);
      await history.stop();
      await deps.clockWatch.stop();
      await metrics?.close();
      await Promise.all([deps.jobs.stop(), deps.homeJobs?.stop()]);
      await deps.database.close();
      await closeTracer();
    },
  };
}
