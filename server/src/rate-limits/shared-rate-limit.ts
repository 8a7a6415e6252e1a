import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../base/clock.ts';
import { type Limiter, type RateLimit, RateLimiter, type RateLimitState, type RateLimits } from './rate-limit.ts';

/** A Redis that hangs delays requests by at most a second, until its status is no longer `ready`. */
const ANSWER_WITHIN_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

interface SharedOptions {
  redisUrl: string;
  perKey: RateLimit;
  perAddress: RateLimit;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Limits that all processes on one Redis share: `burst` requests in each window of burst ÷ rate seconds. If Redis
 * does not answer, each process uses its own limits and logs one warning.
 */
export function openSharedLimits({ redisUrl, perKey, perAddress, clock, log }: SharedOptions): RateLimits {
  const redis = new Redis(redisUrl, {
    // Requests are not to wait for a connection that is not there.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: 2_000,
    retryStrategy: (tries) => Math.min(tries * 100, LONGEST_PAUSE_MS),
  });
  let isLost = false;
  const tell = (isLostNow: boolean, error?: Error) => {
    if (isLost === isLostNow) return;
    isLost = isLostNow;
    if (isLost) log.warn({ err: error }, 'Redis is out of reach: rate limits hold for each process alone.');
    else log.info('Redis is back: rate limits are shared again.');
  };
  redis.on('error', (error: Error) => tell(true, error));
  redis.on('ready', () => tell(false));
  const onFailure = (error: Error) => {
    tell(true, error);
    // It may hang without closing the connection; a new one shows whether it is back.
    if (redis.status === 'ready') redis.stream.destroy();
  };
  const open = (name: string, limit: RateLimit) => new SharedLimiter(redis, name, limit, clock, onFailure);
  return {
    perKey: open('key', perKey),
    perAddress: open('address', perAddress),
    open,
    close: () => redis.disconnect(),
  };
}

class SharedLimiter implements Limiter {
  readonly #shared: RateLimiterRedis;
  readonly #own: RateLimiter;
  readonly #onFailure: (error: Error) => void;

  constructor(redis: Redis, name: string, limit: RateLimit, clock: Clock, onFailure: (error: Error) => void) {
    this.#own = new RateLimiter(name, limit, clock);
    this.#onFailure = onFailure;
    this.#shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `bestow:${name}`,
      points: limit.burst,
      duration: Math.ceil(limit.burst / limit.perSecond),
      rejectIfRedisNotReady: true,
    });
  }

  async take(bucket: string): Promise<RateLimitState> {
    try {
      return this.#seen(bucket, await this.#shared.consume(bucket), true);
    } catch (error) {
      if (error instanceof RateLimiterRes) return this.#seen(bucket, error, false);
      this.#onFailure(error as Error);
      return this.#own.take(bucket);
    }
  }

  look(bucket: string): RateLimitState {
    return this.#own.look(bucket);
  }

  /** Kept, so that `look` need not ask, and the process goes on from there where Redis is lost. */
  #seen(bucket: string, { remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): RateLimitState {
    const resetSeconds = Math.ceil(msBeforeNext / 1000);
    return this.#own.see(bucket, { isAllowed, tokens: remainingPoints, resetSeconds, retryAfterSeconds: resetSeconds });
  }
}
