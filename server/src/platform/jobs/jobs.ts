import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Tracer } from '../base/tracer.ts';
import type { ConnectionTarget } from '../database/connections.ts';
import { createQueueWorkers } from './queue-workers.ts';
import { startBoss } from './start-boss.ts';
import type { QueueName, Tasks } from './tasks.ts';

/** Work after a commit. Statements add the jobs themselves (`insert-jobs.ts`), so they survive a crash. */
export interface Jobs {
  /** Starts working on the given queues of each server by its tasks; several processes share the work. */
  work(tasks: readonly Tasks[], queueNames: readonly QueueName[]): Promise<void>;
  /** Takes no more jobs of a server, or takes them again. */
  pause(server: number, isPaused: boolean): void;
  /** Takes no more jobs and finishes running ones. */
  finish(): Promise<void>;
  /** Finishes, and closes the connections. */
  stop(): Promise<void>;
}

/** @param servers the shards, or the only server: each has its own jobs */
export async function startJobs(
  servers: readonly ConnectionTarget[],
  clock: Clock,
  log: Pick<Logger, 'error' | 'warn'>,
  tracer: Tracer | undefined,
): Promise<Jobs> {
  let isStopping = false;
  let isStopped = false;
  const logError = (error: unknown) => {
    // PostgreSQL may stop before the sockets are closed.
    if (!isStopped) log.error({ err: error }, 'The job queue reports an error.');
  };
  const bosses = await Promise.all(
    servers.map((server) => startBoss(server, clock, { supervises: true, onError: logError })),
  );
  const workers = bosses.map((boss) => createQueueWorkers({ boss, clock, log, logError, tracer }));

  async function finish(): Promise<void> {
    isStopping = true;
    for (const each of workers) each.stopStarting();
    await Promise.all(bosses.map((boss) => boss.stop({ close: false, graceful: true, timeout: 5_000 })));
  }

  return {
    async work(tasks, queueNames) {
      // Supervise now, because a server that is killed repeatedly may never reach the first interval.
      for (const boss of bosses) boss.supervise().catch(logError);
      await Promise.all(workers.map((each, server) => each.start(tasks[server] as Tasks, queueNames)));
    },
    pause(server, isPaused) {
      if (!isStopping) void workers[server]?.pause(isPaused).catch(logError);
    },
    finish,
    async stop() {
      await finish();
      isStopped = true;
      await Promise.all(bosses.map((boss) => boss.stop()));
    },
  };
}
