import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorMessage } from '../../platform/base/error-code.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { watchHandedConnection } from '../../platform/base/private-internals.ts';
import { LOG_WITHIN_MS, STOP_WITHIN_MS } from './run.ts';

/** Sent by a process to the first one: it listens, it still runs, or the reason why it cannot listen. */
export type Report = { state: 'ready' } | { state: 'alive' } | { state: 'refused'; reason: string };

/** How often a process says that it still runs. */
export const ALIVE_EACH_MS = 5_000;
/** So many looks without a word. Looks, and not seconds: the first process may have stood still itself. */
const SILENT_LOOKS = 6;

interface KeptProcesses {
  /** @throws OperatorError if all end before they are ready */
  start(): Promise<void>;
  /** Stops all; kills those that are late. */
  stop(): Promise<void>;
}

interface KeepOptions {
  count: number;
  /** The port of all; never 0, because a later process must listen on the same one. */
  port: number;
  log: Pick<Logger, 'error'>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A process that served for this long ended for a new reason. */
const STABLE_AFTER_MS = 10_000;
/** Later than a process cuts itself off. */
export const KILL_AFTER_MS = STOP_WITHIN_MS + LOG_WITHIN_MS + 500;

/** Runs this program in several processes on one port, and replaces those that end. */
export function keepProcesses({ count, port, log }: KeepOptions): KeptProcesses {
  const stopping = new AbortController();
  const allReady = Promise.withResolvers<void>();
  const ready = new Set<Worker>();
  let kept: Promise<void>[] = [];
  let endsInARow = 0;

  async function runOne(): Promise<string> {
    const worker = cluster.fork({ PORT: String(port) });
    const closeHanded = watchHandedConnection(worker.process);
    let readyAtMs = Number.POSITIVE_INFINITY;
    let refusal: string | undefined;
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
      if (!ready.has(worker) || looks < SILENT_LOOKS) return;
      log.error(`Process ${worker.process.pid} stands still and is ended.`);
      worker.process.kill('SIGKILL');
    }, ALIVE_EACH_MS);
    worker.on('message', (report: Partial<Report> | null) => {
      looks = 0;
      if (report?.state === 'refused') refusal = report.reason;
      if (report?.state !== 'ready') return;
      readyAtMs = performance.now();
      if (ready.add(worker).size === count) allReady.resolve();
    });
    const reason = await endOf(worker);
    clearInterval(looking);
    closeHanded();
    ready.delete(worker);
    if (performance.now() - readyAtMs > STABLE_AFTER_MS) endsInARow = 0;
    return refusal ?? reason;
  }

  async function keepOne(): Promise<void> {
    while (!stopping.signal.aborted) {
      const reason = await runOne().catch((error: unknown) => errorMessage(error));
      endsInARow += 1;
      if (stopping.signal.aborted) return;
      // Without effect once all were ready: from then on the others, or the next one, go on.
      if (ready.size === 0 && endsInARow >= count) allReady.reject(new OperatorError(reason));
      log.error(`${reason} Another one is started.`);
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (endsInARow - 1), LONGEST_PAUSE_MS);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      kept = Array.from({ length: count }, keepOne);
      return allReady.promise;
    },
    async stop() {
      stopping.abort();
      signalAll('SIGTERM');
      const late = setTimeout(() => signalAll('SIGKILL'), KILL_AFTER_MS);
      await Promise.all(kept);
      clearTimeout(late);
    },
  };
}

/** Returns a sentence about how the process ended. */
const endOf = ({ process }: Worker) =>
  new Promise<string>((resolve) => {
    process.on('exit', (code, signal) => resolve(`Process ${process.pid} ended with ${signal ?? `code ${code}`}.`));
    // Also after a message to a process that is ending; `exit` follows then.
    process.on('error', (error) => {
      if (process.pid === undefined) resolve(`A process could not be started: ${error.message}.`);
    });
  });

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
}
