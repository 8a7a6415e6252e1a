import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Tracer } from '../base/tracer.ts';
import { Breaker } from './breaker.ts';
import { createQueueRunner, POLLING_SECONDS } from './run-jobs.ts';
import { type QueueName, queues, type Tasks } from './tasks.ts';

/** Each has one provider. */
const CALL_ONE_SERVER = ['email', 'phone', 'notice'] as const satisfies QueueName[];

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
  const breakers = CALL_ONE_SERVER.map((name) => [name, new Breaker(clock)] as const);
  const workOn = createQueueRunner({ boss, log, tracer, breakers: Object.fromEntries(breakers) });
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

  function clearTimers(): void {
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
        clearTimers();
        for (const name of wanted?.queueNames ?? []) await boss.offWork(queues[name].name, { wait: false });
      });
      return changing;
    },
    stopStarting() {
      clearTimers();
      for (const [, breaker] of breakers) breaker.stop();
    },
  };
}
