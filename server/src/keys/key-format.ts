import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../base/environment.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 32;
/** 62 to the power of 6 is the first above 2 to the power of 32. */
const CHECKSUM_DIGITS = 6;

const PREFIXES = { live: 'bestow-', sandbox: 'bestow-sandbox-' } as const satisfies Record<Environment, string>;
const LEGACY_PREFIX = 'sk_';

const KEY = /^bestow-(?:sandbox-)?[0-9A-Za-z]{38}$/;
// At least 8 characters, so that a slip (an empty variable in a script) is not taken for a key.
const LEGACY_KEY = /^sk_[!-~]{8,250}$/;

/** A new secret key: prefix, 32 random base62 digits (190 bits), and a checksum of all that. */
export function createKey(environment: Environment): string {
  const digits = Array.from({ length: RANDOM_DIGITS }, () => DIGITS[randomInt(DIGITS.length)]);
  const body = PREFIXES[environment] + digits.join('');
  return body + checksum(body);
}

/** The environment that a key's prefix names; undefined for legacy keys, whose record alone knows it, and for anything else. */
export function parseKeyPrefix(key: string): Environment | undefined {
  // The live prefix also begins every sandbox key; the random part of a live key holds no dash, so this order decides.
  if (key.startsWith(PREFIXES.sandbox)) return 'sandbox';
  return key.startsWith(PREFIXES.live) ? 'live' : undefined;
}

/** Whether this can be a key that `createKey` made: finds a mistyped key without asking the database. */
export function hasValidChecksum(key: string): boolean {
  return KEY.test(key) && checksum(key.slice(0, -CHECKSUM_DIGITS)) === key.slice(-CHECKSUM_DIGITS);
}

/** Whether this can be a key issued before this service made its own. */
export function isLegacyKey(key: string): boolean {
  return LEGACY_KEY.test(key);
}

/** SHA-256 of the whole key: what is stored. A slow hash would add nothing to 190 bits. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Tells keys apart for people: `bestow-sandbox-…AbCd`. */
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
