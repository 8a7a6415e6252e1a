import { PgBoss } from 'pg-boss';
import type { Clock } from '../base/clock.ts';
import { type ConnectionTarget, JOB_CONNECTIONS } from '../database/connections.ts';
import { sessionOptions } from '../database/session-settings.ts';
import { type QueueSettings, queues } from './tasks.ts';

const HEARTBEAT_SECONDS = 10;
const MANY_RETRIES = 100_000;
/**
 * pg-boss passes these to `pg`, though its types omit them. Without them, a silently lost network blocks workers for 15
 * minutes on Linux. The lock timeout is shorter, so that no session keeps waiting in PostgreSQL.
 */
const CONNECTION_LIMITS = { keepAlive: true, lock_timeout: 25_000, query_timeout: 30_000 };
/** Ten years; pg-boss's default deletes unstarted jobs after two weeks. */
const RETENTION_SECONDS = 315_360_000;

interface BossOptions {
  /** Handles killed workers and schedules. */
  supervises: boolean;
  onError(error: unknown): void;
}

/** Creates or updates pg-boss's own schema and the queues; safe when many processes start at once. */
export async function startBoss(
  target: ConnectionTarget,
  clock: Clock,
  { supervises, onError }: BossOptions,
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...(target as object),
    options: sessionOptions(target),
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
  boss.on('error', onError);
  await boss.start();
  for (const queue of Object.values(queues)) await prepareQueue(boss, queue);
  return boss;
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
