import { type Clock, systemClock } from '../../platform/base/clock.ts';

/** A clock that stands still until it is moved on. */
interface MovedClock extends Clock {
  moveTo(ms: number): void;
}

/** @param startMs the first time that it shows */
export function createMovedClock(startMs: number): MovedClock {
  let nowMs = startMs;
  return {
    ...systemClock,
    now: () => nowMs,
    moveTo(ms) {
      nowMs = Math.max(nowMs, ms);
    },
  };
}

type Act = () => Promise<void>;

/** Acts and their times. An act may plan later ones. */
export class Agenda {
  readonly #clock: MovedClock;
  #planned: { atMs: number; act: Act }[] = [];

  constructor(clock: MovedClock) {
    this.#clock = clock;
  }

  plan(atMs: number, act: Act): void {
    const after = this.#planned.findLastIndex((other) => other.atMs <= atMs);
    this.#planned.splice(after + 1, 0, { atMs, act });
  }

  /** Plans an act so long after the one that runs. */
  after(ms: number, act: Act): void {
    this.plan(this.#clock.now() + ms, act);
  }

  /**
   * Runs the acts in the order of their times, each at its time; forgets those after `untilMs`.
   *
   * @param onAct is called after each
   */
  async run(untilMs: number, onAct: (atMs: number) => Promise<void>): Promise<void> {
    for (;;) {
      const next = this.#planned.shift();
      if (next === undefined || next.atMs > untilMs) break;
      this.#clock.moveTo(next.atMs);
      await next.act();
      await onAct(next.atMs);
    }
    this.#planned = [];
    this.#clock.moveTo(untilMs);
  }
}
