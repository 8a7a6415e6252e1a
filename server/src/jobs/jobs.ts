import type { ClientBase } from 'pg';
import { type JobResult, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Tracer } from '../base/tracer.ts';
import { type ConnectionTarget, JOB_CONNECTIONS } from '../database/connections.ts';
import {
  type CompleteOrderJob,
  type QueueName,
  type QueueSettings,
  queues,
  type SendMessageJob,
  type SendNoticeJob,
  type Tasks,
} from './tasks.ts';

/** `startAfterSeconds`: by PostgreSQL's clock, because a server's may be wrong, or set back before the job is due. */
export type CompletionJob = CompleteOrderJob & { startAfterSeconds: number };

/** Work that is done after a commit, and survives a crash because its jobs are part of that commit. */
export interface Jobs {
  /** Adds, in the transaction of `client`, a job for each order that completes it when its time has come. */
  completeOrdersLater(client: ClientBase, jobs: readonly CompletionJob[]): Promise<void>;
  /** Adds, in the transaction of `client`, a job for each message. */
  sendMessagesLater(client: ClientBase, jobs: readonly SendMessageJob[]): Promise<void>;
  /** Adds, in the transaction of `client`, a job for each mail to an organization's people. */
  sendNoticesLater(client: ClientBase, jobs: readonly SendNoticeJob[]): Promise<void>;
  /**
   * Starts doing the tasks; any number of processes share the work. Jobs of a queue that is not named wait, so that
   * messages of a channel without a provider are sent once there is one.
   */
  work(tasks: Tasks, queueNames: readonly QueueName[]): Promise<void>;
  /** Takes no more tasks and lets those under way finish. Jobs can still be added. */
  finish(): Promise<void>;
  /** The same, and closes the connections. */
  stop(): Promise<void>;
}

const HEARTBEAT_SECONDS = 10;
const POLLING_SECONDS = 1;
const MANY_RETRIES = 100_000;
/**
 * pg-boss hands them on to `pg`, though its type does not name them. Without, a network that stops silently holds every
 * worker for as long as the system tries: a quarter of an hour on Linux. What waits for a lock PostgreSQL gives up first, so
 * that no session is left waiting there; what takes long, such as rebuilding an index, it brings to its end.
 */
const CONNECTION_LIMITS = { keepAlive: true, lock_timeout: 25_000, query_timeout: 30_000 };
/** pg-boss forgets jobs that nobody took after two weeks unless told otherwise: ten years. */
const RETENTION_SECONDS = 315_360_000;

interface JobsOptions {
  /** Looks after the queues of all processes: killed workers, schedules. False for a process that only adds jobs. */
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
  const boss = new PgBoss({
    ...(target as object),
    ...CONNECTION_LIMITS,
    application_name: 'bestow jobs',
    max: supervises ? JOB_CONNECTIONS : 1,
    clock,
    supervise: supervises,
    schedule: supervises,
    // With heartbeats of ten seconds and checks every five, a killed worker's job is taken up again within a minute.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on('error', (error) => log.error({ err: error }, 'The job queue reports an error.'));
  await boss.start();
  for (const queue of Object.values(queues)) await prepareQueue(boss, queue);

  async function insert(client: ClientBase, name: QueueName, jobs: { data: object; startAfter?: number }[]) {
    if (jobs.length === 0) return;
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    // An order among others in a batch names the request that it came by itself.
    const traceparent = tracer?.current();
    const traced =
      traceparent === undefined ? jobs : jobs.map((job) => ({ ...job, data: { traceparent, ...job.data } }));
    await boss.insert(queues[name].name, traced, { db });
  }

  async function workQueue<Job extends { traceparent?: string | undefined }>(
    name: QueueName,
    act: (job: Job) => Promise<void>,
  ): Promise<void> {
    const { name: queue, batchSize } = queues[name];
    await boss.work<Job>(
      queue,
      {
        pollingIntervalSeconds: POLLING_SECONDS,
        batchSize,
        perJobResults: true,
        burstWhenBatchFull: true,
      },
      async (jobs) => {
        const results = await Promise.all(jobs.map(({ id, data }) => attempt(id, () => followed(queue, data, act))));
        const failures = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
        // One line a batch: where a provider is out of reach, thousands of jobs fail alike.
        if (failures.length > 0)
          log.warn(
            { err: failures[0], failed: failures.length, queue },
            'Jobs did not succeed and are tried again later.',
          );
        return results.map(({ result }) => result);
      },
    );
  }

  function followed<Job extends { traceparent?: string | undefined }>(
    queue: string,
    job: Job,
    act: (job: Job) => Promise<void>,
  ): Promise<void> {
    if (tracer === undefined) return act(job);
    return tracer.span({ name: queue, kind: 'consumer', parent: job.traceparent }, () => act(job));
  }

  const starts: ReturnType<Clock['setTimeout']>[] = [];
  const workOn: Record<QueueName, (tasks: Tasks) => Promise<void>> = {
    completeOrder: (tasks) => workQueue<CompleteOrderJob>('completeOrder', tasks.completeOrder),
    email: (tasks) => workQueue<SendMessageJob>('email', tasks.sendMessage),
    phone: (tasks) => workQueue<SendMessageJob>('phone', tasks.sendMessage),
    notice: (tasks) => workQueue<SendNoticeJob>('notice', tasks.sendNotice),
    everyMinute: (tasks) => workQueue('everyMinute', tasks.everyMinute),
  };

  async function finish(): Promise<void> {
    for (const start of starts) clock.clearTimeout(start);
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
      for (const channel of ['email', 'phone'] as const) {
        const ofChannel = jobs.filter((job) => job.channel === channel);
        await insert(
          client,
          channel,
          ofChannel.map((data) => ({ data })),
        );
      }
    },
    sendNoticesLater: (client, jobs) =>
      insert(
        client,
        'notice',
        jobs.map((data) => ({ data })),
      ),
    async work(tasks, queueNames) {
      // At once, and not only at the first interval's end: a server that is killed again and again may never come to that.
      if (supervises) boss.supervise().catch((error) => log.error({ err: error }, 'The job queue reports an error.'));
      for (const name of queueNames) await workOn[name](tasks);
      // The others of a queue look for work at other moments of the second, so that not all come to PostgreSQL at once.
      const others = queueNames.flatMap((name) => Array.from({ length: queues[name].batches - 1 }, () => name));
      for (const [index, name] of others.entries()) {
        const delayMs = ((index + 1) * POLLING_SECONDS * 1_000) / (others.length + 1);
        const start = () =>
          workOn[name](tasks).catch((error) => log.error({ err: error }, 'The job queue reports an error.'));
        starts.push(clock.setTimeout(() => void start(), delayMs));
      }
    },
    finish,
    async stop() {
      await finish();
      await boss.stop();
    },
  };
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
  // Where an earlier version created it.
  await boss.updateQueue(queue.name, options);
  if (queue.cron !== undefined) await boss.schedule(queue.name, queue.cron);
}

/** A job's result: one that failed is tried again with the delays of its queue. */
async function attempt(id: string, act: () => Promise<void>): Promise<{ result: JobResult; error?: unknown }> {
  try {
    await act();
    return { result: { id, status: 'completed' } };
  } catch (error) {
    return { result: { id, status: 'failed', output: { message: String(error) } }, error };
  }
}
