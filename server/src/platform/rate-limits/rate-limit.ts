import { isIPv6 } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { RecentMap } from '../base/recent-map.ts';

interface RateLimit {
  perSecond: number;
  burst: number;
}

interface Bucket {
  tokens: number;
  updatedAtMs: number;
}

export interface RateLimitState {
  isAllowed: boolean;
  /** The IETF headers of draft-ietf-httpapi-ratelimit-headers. */
  headers: { 'ratelimit-policy': string; ratelimit: string };
  retryAfterSeconds: number;
}

/** The limits of `/v1` (docs/decisions.md#limits). */
export interface RateLimits {
  perKey: RateLimiter;
  /** Requests that wait for events, so that a key's readers leave its orders alone. */
  perWaitingKey: RateLimiter;
  perAddress: RateLimiter;
}

/** The least recently used buckets are dropped first, which favours the caller. */
const MAX_BUCKETS = 100_000;

/** Token buckets in this process: each holds `burst` requests and refills by `perSecond`. */
export class RateLimiter {
  readonly #buckets = new RecentMap<string, Bucket>(MAX_BUCKETS);
  readonly #policy: string;
  readonly #name: string;
  readonly #limit: RateLimit;
  readonly #clock: Clock;

  constructor(name: string, limit: RateLimit, clock: Clock) {
    this.#name = name;
    this.#limit = limit;
    this.#clock = clock;
    this.#policy = `"${name}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`;
  }

  /** Takes one request from the bucket if one is left. */
  take(key: string): RateLimitState {
    const bucket = this.#refill(key);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return this.#state(bucket, isAllowed);
  }

  /** Returns the bucket's state; takes nothing. */
  look(key: string): RateLimitState {
    const bucket = this.#refill(key);
    return this.#state(bucket, bucket.tokens >= 1);
  }

  /** Whether the bucket was used and not forgotten. */
  has(key: string): boolean {
    return this.#buckets.get(key) !== undefined;
  }

  /** Removes the bucket; the next use finds it full. */
  forget(key: string): void {
    this.#buckets.delete(key);
  }

  #refill(key: string): Bucket {
    const nowMs = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#limit.burst, updatedAtMs: nowMs };
    // A clock that goes back must not drain the bucket.
    const elapsedMs = Math.max(0, nowMs - bucket.updatedAtMs);
    bucket.tokens = Math.min(this.#limit.burst, bucket.tokens + (elapsedMs * this.#limit.perSecond) / 1000);
    bucket.updatedAtMs = nowMs;
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #state(bucket: Bucket, isAllowed: boolean): RateLimitState {
    const { burst, perSecond } = this.#limit;
    const resetSeconds = Math.ceil((burst - bucket.tokens) / perSecond);
    return {
      isAllowed,
      headers: {
        'ratelimit-policy': this.#policy,
        ratelimit: `"${this.#name}";r=${Math.floor(bucket.tokens)};t=${resetSeconds}`,
      },
      retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
    };
  }
}

/** A client's bucket: its address, or the /64 that an IPv6 client can choose its address from freely. */
export function addressBucket(address: string | undefined): string {
  // A closed connection has no address.
  if (address === undefined) return '';
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - tailGroups.length)).fill('0');
  const network = [...groups, ...zeros, ...tailGroups].slice(0, 4);
  // Proxies do not all write an address alike.
  return network.map((group) => Number.parseInt(group, 16)).join(':');
}
