import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../base/environment.ts';
import { formatUuid } from '../base/ids.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);
/** By the digit's character code. */
const valueOfDigit = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value += 1) valueOfDigit[DIGITS.charCodeAt(value)] = value;
/** Enough for a UUID: 62^22 > 2^128. */
const ID_DIGITS = 22;
const RANDOM_DIGITS = 22;
/** Enough for a CRC-32: 62^6 > 2^32. */
const CHECKSUM_DIGITS = 6;

const PREFIXES = {
  key: { live: 'bestow-', sandbox: 'bestow-sandbox-' },
  agent: { live: 'bestow-agent-', sandbox: 'bestow-agent-sandbox-' },
} as const satisfies Record<Holder, Record<Environment, string>>;
const LEGACY_PREFIX = 'sk_';

/** Who has the secret: a program with an API key, or an agent with the token of its grant. */
type Holder = 'key' | 'agent';

const KEY = /^bestow-(sandbox-)?([0-9A-Za-z]{22})[0-9A-Za-z]{28}$/;
const AGENT_TOKEN = /^bestow-agent-(sandbox-)?([0-9A-Za-z]{22})[0-9A-Za-z]{28}$/;
const KEY_PREFIX = /^bestow-(?:agent-)?(?:sandbox-)?/;
// At least 8 characters, so that an empty shell variable does not look like a key.
const LEGACY_KEY = /^sk_[!-~]{8,250}$/;

/** What a key's text says, before anything is looked up. */
interface ParsedKey {
  hash: Buffer;
  /** Undefined for `sk_` keys. */
  environment: Environment | undefined;
  /** UUID; undefined for `sk_` keys, which are in `earlier_keys`. */
  organizationId: string | undefined;
  /** Whether it is the token of an agent's grant, which only `/mcp` accepts. */
  isAgent: boolean;
}

/**
 * Creates a secret key: prefix, organization, 22 random digits (131 bits), and a checksum of all of it, in base62.
 *
 * @param organizationId UUID
 */
export function createKey(environment: Environment, organizationId: string, holder: Holder = 'key'): string {
  const random = Array.from({ length: RANDOM_DIGITS }, () => DIGITS[randomInt(DIGITS.length)]);
  const body = PREFIXES[holder][environment] + uuidDigits(organizationId) + random.join('');
  return body + checksum(body);
}

/** Returns undefined if the text cannot be a key, such as a mistyped one. */
export function parseKey(key: string): ParsedKey | undefined {
  if (LEGACY_KEY.test(key))
    return { hash: hashKey(key), environment: undefined, organizationId: undefined, isAgent: false };
  const isAgent = AGENT_TOKEN.test(key);
  const [form, sandbox, owner] = (isAgent ? AGENT_TOKEN : KEY).exec(key) ?? [];
  if (form === undefined || checksum(key.slice(0, -CHECKSUM_DIGITS)) !== key.slice(-CHECKSUM_DIGITS)) return undefined;
  const organizationId = parseUuid(owner ?? '');
  if (organizationId === undefined) return undefined;
  return { hash: hashKey(key), environment: sandbox === undefined ? 'live' : 'sandbox', organizationId, isAgent };
}

/** Hashes a key for storage. SHA-256 is enough for 131 random bits. */
export function hashKey(key: string): Buffer {
  return Buffer.from(hash('sha256', key, 'latin1'), 'latin1');
}

/** Abbreviates a key for display: `bestow-sandbox-…AbCd`. */
export function keyHint(key: string): string {
  return `${KEY_PREFIX.exec(key)?.[0] ?? LEGACY_PREFIX}…${key.slice(-4)}`;
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

function uuidDigits(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let digits = '';
  for (; digits.length < ID_DIGITS; rest /= BASE) digits = DIGITS[Number(rest % BASE)] + digits;
  return digits;
}

const bytes = new Uint8Array(16);
const view = new DataView(bytes.buffer);

/** Multiplies in parts of 32 bits, because a bigint takes 4 µs. Returns undefined above 128 bits. */
function parseUuid(digits: string): string | undefined {
  const parts = new Uint32Array(4);
  for (let index = 0; index < ID_DIGITS; index += 1) {
    let carry = valueOfDigit[digits.charCodeAt(index)] as number;
    for (let part = 3; part >= 0; part -= 1) {
      const product = (parts[part] as number) * DIGITS.length + carry;
      parts[part] = product;
      carry = Math.floor(product / 2 ** 32);
    }
    if (carry > 0) return undefined;
  }
  for (const [part, value] of parts.entries()) view.setUint32(4 * part, value);
  return formatUuid(bytes);
}
