import type { ClientBase } from 'pg';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Tracer } from '../base/tracer.ts';
import { type ConnectionTarget, JOB_CONNECTIONS } from '../database/connections.ts';
import { createQueueWorkers } from './queue-workers.ts';
import {
  type CompleteOrderJob,
  type QueueName,
  type QueueSettings,
  queues,
  type SendMessageJob,
  type SendNoticeJob,
  type Tasks,
} from './tasks.ts';

/** `startAfterSeconds` uses PostgreSQL's clock, because a server's clock may be wrong or set back. */
export type CompletionJob = CompleteOrderJob & { startAfterSeconds: number };

/** Work after a commit. Jobs are added in the caller's transaction, so they survive a crash. */
export interface Jobs {
  /** Adds a job for each order that completes it in time. */
  completeOrdersLater(client: ClientBase, jobs: readonly CompletionJob[]): Promise<void>;
  sendMessagesLater(client: ClientBase, jobs: readonly SendMessageJob[]): Promise<void>;
  sendNoticesLater(client: ClientBase, jobs: readonly SendNoticeJob[]): Promise<void>;
  /** Starts working on the given queues; several processes share the work. */
  work(tasks: Tasks, queueNames: readonly QueueName[]): Promise<void>;
  /** Takes no more jobs and finishes running ones. Jobs can still be added. */
  finish(): Promise<void>;
  /** Finishes, and closes the connections. */
  stop(): Promise<void>;
}

const HEARTBEAT_SECONDS = 10;
const MANY_RETRIES = 100_000;
/**
 * pg-boss passes these to `pg`, though its types omit them. Without them, a silently lost network blocks workers for 15
 * minutes on Linux. The lock timeout is shorter, so that no session keeps waiting in PostgreSQL.
 */
const CONNECTION_LIMITS = { keepAlive: true, lock_timeout: 25_000, query_timeout: 30_000 };
/** Ten years; pg-boss's default deletes unstarted jobs after two weeks. */
const RETENTION_SECONDS = 315_360_000;

interface JobsOptions {
  /** Handles killed workers and schedules. False for a process that only adds jobs. */
  supervises?: boolean;
  tracer?: Tracer | undefined;
}

/** Creates or updates pg-boss's own schema and the queues; safe when many processes start at once. */
export async function startJobs(
  target: ConnectionTarget,
  clock: Clock,
  log: Pick<Logger, 'error' | 'warn'>,
  { supervises = true, tracer }: JobsOptions = {},
): Promise<Jobs> {
  const boss = createBoss(target, clock, supervises);
  const logError = (error: unknown) => log.error({ err: error }, 'The job queue reports an error.');
  boss.on('error', logError);
  await boss.start();
  for (const queue of Object.values(queues)) await prepareQueue(boss, queue);
  const workers = createQueueWorkers({ boss, clock, log, logError, tracer });

  async function insert(client: ClientBase, name: QueueName, jobs: { data: object; startAfter?: number }[]) {
    if (jobs.length === 0) return;
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    // A batched order already has the traceparent of its request.
    const traceparent = tracer?.current();
    const traced =
      traceparent === undefined ? jobs : jobs.map((job) => ({ ...job, data: { traceparent, ...job.data } }));
    await boss.insert(queues[name].name, traced, { db });
  }

  async function finish(): Promise<void> {
    workers.stopStarting();
    await boss.stop({ close: false, graceful: true, timeout: 5_000 });
  }

  return {
    completeOrdersLater: (client, jobs) =>
      insert(
        client,
        'completeOrder',
        jobs.map(({ startAfterSeconds, ...data }) => ({ data, startAfter: startAfterSeconds })),
      ),
    async sendMessagesLater(client, jobs) {
      for (const channel of ['email', 'phone'] as const)
        await insert(client, channel, dataOf(jobs.filter((job) => job.channel === channel)));
    },
    sendNoticesLater: (client, jobs) => insert(client, 'notice', dataOf(jobs)),
    async work(tasks, queueNames) {
      // Supervise now, because a server that is killed repeatedly may never reach the first interval.
      if (supervises) boss.supervise().catch(logError);
      await workers.start(tasks, queueNames);
    },
    finish,
    async stop() {
      await finish();
      await boss.stop();
    },
  };
}

const dataOf = (jobs: readonly object[]) => jobs.map((data) => ({ data }));

function createBoss(target: ConnectionTarget, clock: Clock, supervises: boolean): PgBoss {
  return new PgBoss({
    ...(target as object),
    ...CONNECTION_LIMITS,
    application_name: 'bestow jobs',
    max: supervises ? JOB_CONNECTIONS : 1,
    clock,
    supervise: supervises,
    schedule: supervises,
    // With heartbeats every 10 s, a killed worker's job restarts within a minute.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
}

async function prepareQueue(boss: PgBoss, queue: QueueSettings): Promise<void> {
  const options = {
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: queue.expireInSeconds,
    retentionSeconds: RETENTION_SECONDS,
    retryLimit: queue.cron === undefined ? MANY_RETRIES : 0,
    retryDelay: queue.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: queue.longestRetryDelaySeconds,
  };
  await boss.createQueue(queue.name, queue.cron === undefined ? options : { ...options, policy: 'exclusive' });
  // The queue may be from an earlier version.
  await boss.updateQueue(queue.name, options);
  if (queue.cron !== undefined) await boss.schedule(queue.name, queue.cron);
}
