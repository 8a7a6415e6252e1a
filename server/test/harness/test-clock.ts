import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type ClockTimer, TestClock as PgBossClock } from 'pg-boss';
import { POLLING_SECONDS } from '../../src/platform/jobs/run-jobs.ts';

/** Longer only if a test holds a job. */
const JOBS_END_WITHIN_MS = 1_000;
const POLL_MS = POLLING_SECONDS * 1_000;

/**
 * What pg-boss sends on each new connection beside the first statement, which `pg` warns of. The sessions of tests have it
 * from their start (`withTestClock`).
 */
const USES_TEST_CLOCK = `SET pgboss.test_clock = 'on'`;
const { query } = Client.prototype;
Client.prototype.query = function (this: Client, ...values: unknown[]) {
  return values[0] === USES_TEST_CLOCK ? Promise.resolve() : Reflect.apply(query, this, values);
} as Client['query'];

/** The jobs of a service. */
export interface WatchedJobs {
  /** Whether no job runs. */
  areDone(): Promise<boolean>;
  /** Whether a job waits that is due at this time. */
  areDue(atMs: number): Promise<boolean>;
}

/** A worker of pg-boss that looks for jobs. */
interface Poll {
  run(): void;
  dueMs: number;
  /** It is about to run. */
  timer?: ClockTimer;
}

/**
 * A clock that tests move. pg-boss's test clock also moves the queue's time in PostgreSQL, so a job that is due in
 * twenty seconds runs without waiting. While no job is due, workers do not look for one: in each second 43 statements, which
 * took a quarter of the tests' time.
 */
export class TestClock extends PgBossClock {
  readonly #watched = new Set<WatchedJobs>();
  readonly #polls = new Map<unknown, Poll>();

  override setTimeout(run: () => void, ms: number): ClockTimer {
    const timer = super.setTimeout(run, ms);
    if (ms !== POLL_MS || !new Error().stack?.includes('/pg-boss/dist/worker.js')) return timer;
    super.clearTimeout(timer);
    this.#polls.set(timer, { run, dueMs: this.now() + ms });
    return timer;
  }

  override clearTimeout(timer: ClockTimer): void {
    super.clearTimeout(this.#polls.get(timer)?.timer ?? timer);
    this.#polls.delete(timer);
  }

  override async tick(ms: number): Promise<void> {
    const endMs = this.now() + ms;
    do {
      const stepMs = Math.min(POLL_MS, endMs - this.now());
      this.#poll(this.now() + stepMs, await this.#areDue(this.now() + stepMs));
      await super.tick(stepMs);
    } while (this.now() < endMs);
  }

  /** Lets the workers look that do so until this time, or leaves that out. */
  #poll(untilMs: number, areDue: boolean): void {
    for (const [key, poll] of this.#polls) {
      if (poll.timer !== undefined || poll.dueMs > untilMs) continue;
      if (!areDue) poll.dueMs = Math.max(poll.dueMs, this.now()) + POLL_MS;
      else
        poll.timer = super.setTimeout(() => {
          this.#polls.delete(key);
          poll.run();
        }, poll.dueMs - this.now());
    }
  }

  async #areDue(atMs: number): Promise<boolean> {
    if (this.#watched.size === 0) return true;
    return (await Promise.all([...this.#watched].map((jobs) => jobs.areDue(atMs)))).some(Boolean);
  }

  /**
   * Lets time pass, running due jobs in order, and waits for their end, which pg-boss's clock does not.
   *
   * @param jobsEndWithinMs how long it waits; less for jobs that themselves wait for this clock
   */
  async advance(ms: number, jobsEndWithinMs = JOBS_END_WITHIN_MS): Promise<void> {
    await this.tick(ms);
    const areDone = async () => (await Promise.all([...this.#watched].map((jobs) => jobs.areDone()))).every(Boolean);
    const isOver = sleep(jobsEndWithinMs, true, { ref: false });
    while (!(await Promise.race([isOver, areDone()]))) await sleep(5);
  }

  /** Moves the time at once; the next `advance` runs due jobs once. */
  async jump(ms: number): Promise<void> {
    await this.setTime(this.now() + ms);
  }

  /** Lets the clock know the jobs of a service. @returns ends that */
  watch(jobs: WatchedJobs): () => void {
    this.#watched.add(jobs);
    return () => this.#watched.delete(jobs);
  }
}
