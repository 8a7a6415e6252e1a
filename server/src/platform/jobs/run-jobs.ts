import type { JobResult, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Tracer } from '../base/tracer.ts';
import type { Breaker } from './breaker.ts';
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

export const POLLING_SECONDS = 1;

type Traced = { traceparent?: string | undefined };

interface RunDeps {
  boss: PgBoss;
  log: Pick<Logger, 'warn'>;
  tracer: Tracer | undefined;
  breakers: Partial<Record<QueueName, Breaker>>;
}

/** Starts one worker of a queue. */
export function createQueueRunner({
  boss,
  log,
  tracer,
  breakers,
}: RunDeps): Record<QueueName, (tasks: Tasks) => Promise<void>> {
  async function workQueue<Job extends Traced>(name: QueueName, act: (job: Job) => Promise<void>): Promise<void> {
    const { name: queue, batchSize } = queues[name];
    const options = { batchSize, perJobResults: true, burstWhenBatchFull: true } as const;
    await boss.work<Job>(queue, { ...options, pollingIntervalSeconds: POLLING_SECONDS }, async (jobs) => {
      const breaker = breakers[name];
      if (breaker !== undefined && !(await breaker.admit())) throw new Error('The server outside still fails.');
      const results = await Promise.all(jobs.map(({ id, data }) => attempt(id, () => trace(queue, data, act))));
      breaker?.note(results.map(({ error }) => error));
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

  return {
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
