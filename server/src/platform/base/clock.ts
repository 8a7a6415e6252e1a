/**
 * The clock, passed in so that tests can move it. It has the shape of pg-boss's clock, so that both use the same one. Times
 * are milliseconds since the epoch.
 */
export interface Clock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  setInterval(run: () => void, ms: number): unknown;
  clearInterval(timer: unknown): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
};

/** A clock that a test moves: it is right by definition, and differs from the servers'. */
export const isMoved = (clock: Clock): boolean => clock !== systemClock;
