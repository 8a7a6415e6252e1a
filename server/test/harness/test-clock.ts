import { TestClock as PgBossClock } from 'pg-boss';

/**
 * A clock that tests move. pg-boss's test clock also moves the queue's time in PostgreSQL, so a job that is due in
 * twenty seconds runs without waiting.
 */
export class TestClock extends PgBossClock {
  /** Lets time pass, running due jobs in order. */
  async advance(ms: number): Promise<void> {
    await this.tick(ms);
  }

  /** Moves the time at once; the next `advance` runs due jobs once. */
  async jump(ms: number): Promise<void> {
    await this.setTime(this.now() + ms);
  }
}
