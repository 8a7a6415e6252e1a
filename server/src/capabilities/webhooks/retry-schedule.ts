import { randomInt } from 'node:crypto';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Delays after the first to the ninth failure, as Standard Webhooks 1.0 recommends: ten tries over 75 hours. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** An endpoint that failed so often without a success gets no new events, except one at a time. */
const FAILURES_UNTIL_PROBES = 10;
const FIRST_PROBE_MS = 5 * SECOND_MS;
const LONGEST_PROBE_MS = 10 * MINUTE_MS;

/** A fifth sooner or later, so that what failed together does not come back together. */
const withJitter = (ms: number) => Math.round((ms * randomInt(800, 1_201)) / 1_000);

interface Failed {
  /** Of this delivery, at least 1. */
  failures: number;
  /** The least delay that the receiver asked for; at most a day counts. */
  retryAfterMs: number | undefined;
  /** An ordered endpoint gets nothing past a delivery, so it is tried once a day until the endpoint is switched off. */
  isOrdered: boolean;
}

/** Returns the milliseconds until the next try, or undefined after the tenth. */
export function retryDelay({ failures, retryAfterMs = 0, isOrdered }: Failed): number | undefined {
  const delayMs = DELAYS_MS[failures - 1] ?? (isOrdered ? DAY_MS : undefined);
  return delayMs === undefined ? undefined : Math.max(withJitter(delayMs), Math.min(retryAfterMs, DAY_MS));
}

/**
 * Returns the milliseconds until an endpoint that fails gets a new event; undefined if it gets them as usual. The delay
 * follows the time, not the number of failures: 32 pushes at once may fail within a second.
 */
export function probeDelay(failures: number, failingMs: number): number | undefined {
  if (failures < FAILURES_UNTIL_PROBES) return undefined;
  return withJitter(Math.min(Math.max(failingMs, FIRST_PROBE_MS), LONGEST_PROBE_MS));
}
