import { BestowError } from '../../platform/base/errors.ts';
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts';

/**
 * Counts an attempt.
 *
 * @param message makes the sentence for the person from the time to wait: `1 minute` or `20 minutes`
 * @throws BestowError `too_many_tries`
 */
export function limitAttempts(limiter: RateLimiter, bucket: string, message: (wait: string) => string): void {
  const { isAllowed, retryAfterSeconds } = limiter.take(bucket);
  if (isAllowed) return;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  throw new BestowError('too_many_tries', { message: message(wait), retryAfterSeconds });
}
