import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config.ts';
import { RateLimiter, type RateLimits } from './rate-limit.ts';

/** In this process's memory, or, with REDIS_URL, shared with the other processes; only then the library is loaded. */
export async function openRateLimits(
  { redisUrl, keyRateLimit: perKey, addressRateLimit: perAddress }: Config,
  clock: Clock,
  log: Pick<Logger, 'warn' | 'info'>,
): Promise<RateLimits> {
  if (redisUrl === undefined)
    return {
      perKey: new RateLimiter('key', perKey, clock),
      perAddress: new RateLimiter('address', perAddress, clock),
      close: () => undefined,
    };
  const { openSharedLimits } = await import('./shared-rate-limit.ts');
  return openSharedLimits({ redisUrl, perKey, perAddress, clock, log });
}
