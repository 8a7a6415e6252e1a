import type { JobResult, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Tracer } from '../base/tracer.ts';
import {
  type BatchJob,
  type CompleteOrderJob,
  type FinishClaimJob,
  type IssuerEventJob,
  type ProviderEventJob,
  type QueueName,
  queues,
  type SendMessageJob,
  type SendNoticeJob,
  type Tasks,
  type TopupJob,
} from './tasks.ts';

const POLLING_SECONDS = 1;

type Traced = { traceparent?: string | undefined };

interface QueueWorkers {
  start(tasks: Tasks, queueNames: readonly QueueName[]): Promise<void>;
  /** Takes no more jobs; those under way go on. Or takes jobs again. */
  pause(isPaused: boolean): Promise<void>;
  /** Cancels workers that have not started yet. */
  stopStarting(): void;
}

interface WorkerDeps {
  boss: PgBoss;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  logError(error: unknown): void;
  tracer: Tracer | undefined;
}

/** Polls the queues and runs their tasks. */
export function createQueueWorkers({ boss, clock, log, logError, tracer }: WorkerDeps): QueueWorkers {
  async function workQueue<Job extends Traced>(name: QueueName, act: (job: Job) => Promise<void>): Promise<void> {
    const { name: queue, batchSize } = queues[name];
    const options = { batchSize, perJobResults: true, burstWhenBatchFull: true } as const;
    await boss.work<Job>(queue, { ...options, pollingIntervalSeconds: POLLING_SECONDS }, async (jobs) => {
      const results = await Promise.all(jobs.map(({ id, data }) => attempt(id, () => trace(queue, data, act))));
      const failures = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
      // One line per batch: with an unreachable provider, thousands of jobs fail.
      if (failures.length > 0)
        log.warn({ err: failures[0], failed: failures.length, queue }, 'Jobs failed and will be retried.');
      return results.map(({ result }) => result);
    });
  }

  function trace<Job extends Traced>(queue: string, job: Job, act: (job: Job) => Promise<void>): Promise<void> {
    if (tracer === undefined) return act(job);
    return tracer.span({ name: queue, kind: 'consumer', parent: job.traceparent }, () => act(job));
  }

  const workOn: Record<QueueName, (tasks: Tasks) => Promise<void>> = {
    completeOrder: (tasks) => workQueue<CompleteOrderJob>('completeOrder', tasks.completeOrder),
    claim: (tasks) => workQueue<FinishClaimJob>('claim', tasks.finishClaim),
    issuerEvent: (tasks) => workQueue<IssuerEventJob>('issuerEvent', tasks.recordIssuerEvent),
    email: (tasks) => workQueue<SendMessageJob>('email', tasks.sendMessage),
    phone: (tasks) => workQueue<SendMessageJob>('phone', tasks.sendMessage),
    notice: (tasks) => workQueue<SendNoticeJob>('notice', tasks.sendNotice),
    code: (tasks) => workQueue<SendNoticeJob>('code', tasks.sendNotice),
    providerEvent: (tasks) => workQueue<ProviderEventJob>('providerEvent', tasks.providerEvent),
    topup: (tasks) => workQueue<TopupJob>('topup', tasks.topup),
    batch: (tasks) => workQueue<BatchJob>('batch', tasks.batch),
    sandboxBatch: (tasks) => workQueue<BatchJob>('sandboxBatch', tasks.batch),
    everyMinute: (tasks) => workQueue('everyMinute', tasks.everyMinute),
  };
  const timers: ReturnType<Clock['setTimeout']>[] = [];
  let wanted: { tasks: Tasks; queueNames: readonly QueueName[] } | undefined;
  let isPaused = false;
  /** One change after another. */
  let changing = Promise.resolve();

  async function startAll(): Promise<void> {
    if (wanted === undefined || isPaused) return;
    const { tasks, queueNames } = wanted;
    for (const name of queueNames) await workOn[name](tasks);
    // Spread the polls of a queue's other workers over the second.
    const others = queueNames.flatMap((name) => Array.from({ length: queues[name].batches - 1 }, () => name));
    for (const [index, name] of others.entries()) {
      const delayMs = ((index + 1) * POLLING_SECONDS * 1_000) / (others.length + 1);
      timers.push(clock.setTimeout(() => void workOn[name](tasks).catch(logError), delayMs));
    }
  }

  function stopStarting(): void {
    for (const timer of timers.splice(0)) clock.clearTimeout(timer);
  }

  return {
    async start(tasks, queueNames) {
      wanted = { tasks, queueNames };
      await startAll();
    },
    pause(paused) {
      changing = changing.catch(logError).then(async () => {
        if (paused === isPaused) return;
        isPaused = paused;
        if (!isPaused) return startAll();
        stopStarting();
        for (const name of wanted?.queueNames ?? []) await boss.offWork(queues[name].name, { wait: false });
      });
      return changing;
    },
    stopStarting,
  };
}

/** Runs a job; failed jobs are retried with the delays of their queue. */
async function attempt(id: string, act: () => Promise<void>): Promise<{ result: JobResult; error?: unknown }> {
  try {
    await act();
    return { result: { id, status: 'completed' } };
  } catch (error) {
    return { result: { id, status: 'failed', output: { message: String(error) } }, error };
  }
}
