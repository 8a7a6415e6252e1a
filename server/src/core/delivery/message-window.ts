import type { Clock } from '../../platform/base/clock.ts';
import { RecentMap } from '../../platform/base/recent-map.ts';

/** The least recently used keys are forgotten first; forgetting only allows more messages. */
const MAX_KEYS = 100_000;
/** Bounds the memory of a key. A message counts for at most one slice longer than the window. */
const SLICES = 600;

/** Counts the messages of each key in a sliding window, in this process only. */
export class MessageWindow {
  readonly #max: number;
  readonly #sliceMs: number;
  readonly #clock: Clock;
  readonly #slicesOf = new RecentMap<string, Map<number, number>>(MAX_KEYS);

  constructor(max: number, lengthMs: number, clock: Clock) {
    this.#max = max;
    this.#sliceMs = lengthMs / SLICES;
    this.#clock = clock;
  }

  isFull(key: string): boolean {
    let messages = 0;
    for (const count of this.#recent(key).values()) messages += count;
    return messages >= this.#max;
  }

  /** @returns a function that uncounts the message */
  add(key: string): () => void {
    const slices = this.#recent(key);
    const slice = this.#slice();
    slices.set(slice, (slices.get(slice) ?? 0) + 1);
    return () => slices.set(slice, Math.max(0, (slices.get(slice) ?? 0) - 1));
  }

  #recent(key: string): Map<number, number> {
    const slices = this.#slicesOf.get(key) ?? new Map<number, number>();
    const current = this.#slice();
    // Also delete future slices: a clock that was once far ahead must not block messages until then.
    for (const slice of slices.keys()) if (Math.abs(current - slice) > SLICES) slices.delete(slice);
    this.#slicesOf.set(key, slices);
    return slices;
  }

  #slice(): number {
    return Math.floor(this.#clock.now() / this.#sliceMs);
  }
}
