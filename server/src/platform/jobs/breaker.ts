import type { Clock } from '../base/clock.ts';

/** So many failures in a row show that the server fails, and not its messages. */
const OPENS_AFTER = 20;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
/** Shorter than jobs may last: then they are given back. */
const LONGEST_HOLD_MS = 200_000;

/** An error that may be of a server outside, so that others fail alike. */
export interface OutsideFailure extends Error {
  isOfServer: boolean;
}

const isOfServer = (error: unknown) => (error as Partial<OutsideFailure> | undefined)?.isOfServer === true;

/**
 * A circuit breaker for the jobs of a queue that call one server. While the server is down, one batch tries it at growing
 * intervals, and the others wait for the outcome: they neither load the server nor grow their own delays.
 */
export class Breaker {
  readonly #clock: Clock;
  #failures = 0;
  #waitMs = 0;
  #opensAtMs = 0;
  /** Resolves when something has changed for those who wait. */
  #changed = Promise.withResolvers<void>();
  #isTrying = false;
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the turn of a batch. False: it should be given back. */
  async admit(): Promise<boolean> {
    const startedAtMs = this.#clock.now();
    while (this.#isOpen && !this.#isStopped) {
      const nowMs = this.#clock.now();
      if (!this.#isTrying && nowMs >= this.#opensAtMs) {
        this.#isTrying = true;
        return true;
      }
      if (nowMs - startedAtMs >= LONGEST_HOLD_MS) return false;
      await this.#wait(this.#isTrying ? LONGEST_WAIT_MS : this.#opensAtMs - nowMs);
    }
    return !this.#isStopped;
  }

  /** Notes how a batch ended: the error of each job, undefined for one that succeeded. */
  note(errors: readonly unknown[]): void {
    const failed = errors.filter(isOfServer).length;
    if (failed < errors.length) {
      this.#failures = 0;
      this.#waitMs = 0;
    } else this.#failures += failed;
    if (this.#isOpen && (this.#isTrying || this.#waitMs === 0)) {
      this.#waitMs = Math.min(LONGEST_WAIT_MS, 2 * this.#waitMs || FIRST_WAIT_MS);
      this.#opensAtMs = this.#clock.now() + this.#waitMs;
    }
    this.#isTrying = false;
    this.#wake();
  }

  /** Ends all waits. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  get #isOpen(): boolean {
    return this.#failures >= OPENS_AFTER;
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.setTimeout(resolve, ms);
    await Promise.race([promise, this.#changed.promise]);
    this.#clock.clearTimeout(timer);
  }
}
