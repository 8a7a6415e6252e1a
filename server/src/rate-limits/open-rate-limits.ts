import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config.ts';
import { type RateLimit, RateLimiter, type RateLimits } from './rate-limit.ts';

/** In this process's memory, or, with REDIS_URL, shared with the other processes; only then the library is loaded. */
export async function openRateLimits(
  { redisUrl, keyRateLimit: perKey, addressRateLimit: perAddress }: Config,
  clock: Clock,
  log: Pick<Logger, 'warn' | 'info'>,
): Promise<RateLimits> {
  if (redisUrl === undefined) {
    const open = (name: string, limit: RateLimit) => new RateLimiter(name, limit, clock);
    return { perKey: open('key', perKey), perAddress: open('address', perAddress), open, close: () => undefined };
  }
  const { openSharedLimits } = await import('./shared-rate-limit.ts');
  return openSharedLimits({ redisUrl, perKey, perAddress, clock, log });
}
