import type { Config } from '../config.ts';
import { messageOf } from './check-providers.ts';
import { type Finding, ok, warning } from './finding.ts';

const ANSWER_WITHIN_MS = 5_000;

/** Checks the Redis of the shared rate limits. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  // The event has the reason; the command only fails with "Connection is closed."
  redis.on('error', (error: Error) => {
    reason ??= error;
  });
  try {
    await redis.ping();
    return [ok('Redis', 'answers')];
  } catch (error) {
    const advice = 'Correct REDIS_URL or start Redis; until then, each process has its own rate limits.';
    return [warning('Redis', messageOf(reason ?? error), advice)];
  } finally {
    redis.disconnect();
  }
}
