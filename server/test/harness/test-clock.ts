import { TestClock as PgBossClock } from 'pg-boss';

/**
 * A clock that tests move. pg-boss's own test clock moves the queue's time in PostgreSQL with it, so that a job that is
 * due in twenty seconds runs without waiting.
 */
export class TestClock extends PgBossClock {
  /** Lets this much time pass, doing in order what falls due meanwhile. */
  async advance(ms: number): Promise<void> {
    await this.tick(ms);
  }

  /** The time is later at once; what fell due meanwhile is done, once, with the next `advance`. */
  async jump(ms: number): Promise<void> {
    await this.setTime(this.now() + ms);
  }
}
