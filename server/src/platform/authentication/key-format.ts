import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import baseX from 'base-x';
import type { Environment } from '../base/environment.ts';
import { formatUuid } from '../base/ids.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = baseX(DIGITS);
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
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return digitsOf(bytes, CHECKSUM_DIGITS);
}

function uuidDigits(uuid: string): string {
  return digitsOf(Buffer.from(uuid.replaceAll('-', ''), 'hex'), ID_DIGITS);
}

/** Writes the bytes as one number: base-x has a digit for each leading zero byte. */
function digitsOf(bytes: Uint8Array, count: number): string {
  return base62.encode(bytes).replace(/^0+/, '').padStart(count, '0');
}

/** Returns undefined above 128 bits. */
function parseUuid(digits: string): string | undefined {
  const number = base62.decode(digits.replace(/^0+/, ''));
  if (number.length > 16) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(number, 16 - number.length);
  return formatUuid(bytes);
}
