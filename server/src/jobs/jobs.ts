import type { ClientBase } from 'pg';
import { type JobResult, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { ConnectionTarget } from '../database/connections.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import { type CompleteOrderJob, completeOrderQueue, type Tasks } from './tasks.ts';

/** Work that is done after a commit, and survives a crash because its jobs are part of that commit. */
export interface Jobs {
  /** Adds, in the transaction of `client`, a job for each order that completes it when its time has come. */
  completeOrdersLater(client: ClientBase, orders: readonly OrderRecord[]): Promise<void>;
  /** Starts doing the tasks; any number of processes share the work. */
  work(tasks: Tasks): Promise<void>;
  /** Lets the tasks under way finish. */
  stop(): Promise<void>;
}

/** Creates or updates pg-boss's own schema and the queues; safe when many processes start at once. */
export async function startJobs(target: ConnectionTarget, clock: Clock, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    ...(target as { connectionString: string }),
    application_name: 'bestow jobs',
    max: 3,
    clock,
    // With heartbeats of ten seconds and checks every five, a killed worker's job is taken up again within a minute.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on('error', (error) => log.error({ err: error }, 'The job queue reports an error.'));
  await boss.start();
  await boss.createQueue(completeOrderQueue, {
    heartbeatSeconds: 10,
    expireInSeconds: 60,
    // An order must become processed, however long that takes: a try a minute for two months before it is given up.
    retryLimit: 100_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
  });

  return {
    async completeOrdersLater(client, orders) {
      const jobs = orders.flatMap(({ organization_id, environment, order_id, completes_at }) =>
        completes_at === null
          ? []
          : [
              {
                data: { organizationId: organization_id, environment, orderId: order_id } satisfies CompleteOrderJob,
                startAfter: completes_at,
              },
            ],
      );
      if (jobs.length === 0) return;
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
      await boss.insert(completeOrderQueue, jobs, { db });
    },
    async work(tasks) {
      await boss.work<CompleteOrderJob>(
        completeOrderQueue,
        { pollingIntervalSeconds: 1, batchSize: 20, perJobResults: true },
        async (jobs) => {
          const results: JobResult[] = [];
          for (const { id, data } of jobs)
            results.push(
              await tasks.completeOrder(data).then(
                () => ({ id, status: 'completed' }),
                (error: unknown) => {
                  log.error({ err: error, job_id: id }, 'A job failed and is tried again.');
                  return { id, status: 'failed', output: { message: String(error) } };
                },
              ),
            );
          return results;
        },
      );
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
