import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../base/environment.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 32;
/** Enough for a CRC-32: 62^6 > 2^32. */
const CHECKSUM_DIGITS = 6;

const PREFIXES = { live: 'bestow-', sandbox: 'bestow-sandbox-' } as const satisfies Record<Environment, string>;
const LEGACY_PREFIX = 'sk_';

const KEY = /^bestow-(?:sandbox-)?[0-9A-Za-z]{38}$/;
// At least 8 characters, so that an empty shell variable does not look like a key.
const LEGACY_KEY = /^sk_[!-~]{8,250}$/;

/** Creates a secret key: prefix, 32 random base62 digits (190 bits) and a checksum of both. */
export function createKey(environment: Environment): string {
  const digits = Array.from({ length: RANDOM_DIGITS }, () => DIGITS[randomInt(DIGITS.length)]);
  const body = PREFIXES[environment] + digits.join('');
  return body + checksum(body);
}

/** Returns the environment of a key's prefix; undefined for legacy keys and other texts. */
export function parseKeyPrefix(key: string): Environment | undefined {
  // Sandbox first, because sandbox keys also start with the live prefix.
  if (key.startsWith(PREFIXES.sandbox)) return 'sandbox';
  return key.startsWith(PREFIXES.live) ? 'live' : undefined;
}

/** Whether `createKey` could have made this key; detects typing errors without a query. */
export function hasValidChecksum(key: string): boolean {
  return KEY.test(key) && checksum(key.slice(0, -CHECKSUM_DIGITS)) === key.slice(-CHECKSUM_DIGITS);
}

/** Whether this looks like a key from before this service issued keys. */
export function isLegacyKey(key: string): boolean {
  return LEGACY_KEY.test(key);
}

/** Hashes a key for storage. SHA-256 is enough for 190 random bits. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Abbreviates a key for display: `bestow-sandbox-…AbCd`. */
export function keyHint(key: string): string {
  const environment = parseKeyPrefix(key);
  return `${environment === undefined ? LEGACY_PREFIX : PREFIXES[environment]}…${key.slice(-4)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let count = 0; count < CHECKSUM_DIGITS; count += 1) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
