import { setTimeout as sleep } from 'node:timers/promises';
import { TestClock as PgBossClock } from 'pg-boss';

/** Longer only if a test holds a job. */
const JOBS_END_WITHIN_MS = 1_000;

/**
 * A clock that tests move. pg-boss's test clock also moves the queue's time in PostgreSQL, so a job that is due in
 * twenty seconds runs without waiting.
 */
export class TestClock extends PgBossClock {
  readonly #services = new Set<() => Promise<boolean>>();

  /** Lets time pass, running due jobs in order, and waits for their end, which pg-boss's clock does not. */
  async advance(ms: number): Promise<void> {
    await this.tick(ms);
    const areDone = async () => (await Promise.all([...this.#services].map((isIdle) => isIdle()))).every(Boolean);
    const isOver = sleep(JOBS_END_WITHIN_MS, true, { ref: false });
    while (!(await Promise.race([isOver, areDone()]))) await sleep(5);
  }

  /** Moves the time at once; the next `advance` runs due jobs once. */
  async jump(ms: number): Promise<void> {
    await this.setTime(this.now() + ms);
  }

  /** Lets `advance` wait for the jobs of a service. @returns ends that */
  waitFor(isIdle: () => Promise<boolean>): () => void {
    this.#services.add(isIdle);
    return () => this.#services.delete(isIdle);
  }
}
