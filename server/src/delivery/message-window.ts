import type { Clock } from '../base/clock.ts';
import { RecentMap } from '../base/recent-map.ts';

/** Most keys kept; those that were longest without use are forgotten first, which only ever favours the caller. */
const MAX_KEYS = 100_000;
/** What is kept of a key, however many messages it has. A message counts for all of the time and at most a slice more. */
const SLICES = 600;

/** How many messages each key had within the time that has just passed. Its state is this process's own. */
export class MessageWindow {
  readonly #most: number;
  readonly #sliceMs: number;
  readonly #clock: Clock;
  readonly #slicesOf = new RecentMap<string, Map<number, number>>(MAX_KEYS);

  constructor(most: number, lengthMs: number, clock: Clock) {
    this.#most = most;
    this.#sliceMs = lengthMs / SLICES;
    this.#clock = clock;
  }

  isFull(key: string): boolean {
    let messages = 0;
    for (const count of this.#recent(key).values()) messages += count;
    return messages >= this.#most;
  }

  /** @returns takes the message out again */
  add(key: string): () => void {
    const slices = this.#recent(key);
    const slice = this.#slice();
    slices.set(slice, (slices.get(slice) ?? 0) + 1);
    return () => slices.set(slice, Math.max(0, (slices.get(slice) ?? 0) - 1));
  }

  #recent(key: string): Map<number, number> {
    const slices = this.#slicesOf.get(key) ?? new Map<number, number>();
    const current = this.#slice();
    // In both directions: a clock that was far ahead for a while must not hold messages up until then.
    for (const slice of slices.keys()) if (Math.abs(current - slice) > SLICES) slices.delete(slice);
    this.#slicesOf.set(key, slices);
    return slices;
  }

  #slice(): number {
    return Math.floor(this.#clock.now() / this.#sliceMs);
  }
}
