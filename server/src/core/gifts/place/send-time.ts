import { readTime } from 'bestow-readers/time.ts';

/** A clock that is behind the service's may name a time that has just passed. */
const TOLERANCE_MS = 300_000;
/** The same day of the next year, also after a leap day. */
const LONGEST_MS = 366 * 86_400_000;

/**
 * Reads when a gift is to be sent.
 *
 * @param now the service's time
 * @returns the time, or the rule that the text breaks, for an error
 */
export function readSendTime(text: string, now: Date): Date | string {
  const time = readTime(text);
  if (time === undefined) return 'must be a time with its zone, such as 2026-12-24T09:00:00+01:00';
  if (time.getTime() < now.getTime() - TOLERANCE_MS) return 'must be in the future';
  if (time.getTime() > now.getTime() + LONGEST_MS) return 'must be at most 366 days ahead';
  return time;
}
