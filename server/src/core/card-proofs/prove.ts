import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DAY_MS } from '../../platform/base/id-time.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Language } from '../../platform/languages/languages.ts';
import type { Deps } from '../deps.ts';
import { ERASED_ADDRESS } from '../gifts/gift/address.ts';
import { mailLanguage } from '../notices/notice.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import * as queries from './queries.ts';

const CODE_MINUTES = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_TRIES = 5;
const MOST_CODES_A_DAY = 5;
/** Of a PIN, ever: a link may stay for years with whom it was forwarded to. */
const MOST_FAILURES = 20;
/** The sandbox sends nothing, so its code is always the same. */
export const SANDBOX_CODE = '000000';
export const SIX_DIGITS = /^\d{6}$/;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const hashPin = promisify<string, Buffer, number, Buffer>(scrypt);

/** What shows the card of a link gift to other browsers: a hashed PIN, or the email address that a code is sent to. */
export interface WayBack {
  pin?: Buffer | undefined;
  address?: string | undefined;
}

/** A claimed gift, as its page knows it. */
interface ClaimedGift {
  scope: Scope;
  /** UUID. */
  gift_id: string;
  method: 'email' | 'phone' | 'link';
  /** Email or E.164 number; null for a link gift. */
  address: string | null;
  /** Of the browser that claimed the gift; null after a claim by a program. */
  holder_hash: Buffer | null;
}

const oneOf = ({ scope, gift_id }: ClaimedGift) => [scope.organizationId, scope.environment, gift_id] as const;

/**
 * How someone can prove that the card is theirs, if another browser claimed the gift: with a code to the address, which was
 * sent or not; with the PIN; by being the first browser of a link gift that a program claimed, or the next one of a card that
 * an admin reopened; or not at all.
 */
export interface Proof {
  by: 'code' | 'code_sent' | 'pin' | 'first' | 'reopened' | 'none';
  /** Whether a PIN proves it too. */
  hasPin: boolean;
  /** Whether there is a PIN that proves nothing any more, after too many wrong ones. */
  isPinEnded: boolean;
  /** Where a code is sent: the gift's own address, or what the holder of a link gift entered. Null: nowhere. */
  address: string | null;
}

export async function proofOf(deps: Pick<Deps, 'clock' | 'database'>, gift: ClaimedGift): Promise<Proof> {
  const [proof] = await queries.selectProof(deps.database.read, [...oneOf(gift)]);
  const isLink = gift.method === 'link';
  const isSet = isLink && (proof?.has_pin ?? false);
  const isPinEnded = isSet && (proof?.pin_failures ?? 0) >= MOST_FAILURES;
  const hasPin = isSet && !isPinEnded;
  const known = isLink ? (proof?.holder_address ?? null) : gift.address;
  const address = known === ERASED_ADDRESS ? null : known;
  const by = (kind: Proof['by']) => ({ by: kind, hasPin, isPinEnded, address });
  if ((proof?.reopened_until?.getTime() ?? 0) > deps.clock.now()) return by('reopened');
  if (address === null) return by(hasPin ? 'pin' : isLink && gift.holder_hash === null ? 'first' : 'none');
  const sentAtMs = proof?.code_sent_at?.getTime() ?? 0;
  const isOpen = deps.clock.now() - sentAtMs < CODE_MINUTES * MINUTE_MS && (proof?.code_tries ?? 0) < MOST_TRIES;
  return by(isOpen ? 'code_sent' : 'code');
}

/**
 * Sends a code to the address, at most one a minute and five a day; the earlier code ends. The sandbox sends none.
 *
 * @returns whether a code was made
 */
export async function sendCode(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'cipher' | 'tracer'>,
  gift: ClaimedGift,
  language: Language,
): Promise<boolean> {
  const { method, scope } = gift;
  if ((await proofOf(deps, gift)).address === null) return false;
  const isLive = scope.environment === 'live';
  const sealedCode = deps.cipher.encrypt(isLive ? String(randomInt(1_000_000)).padStart(6, '0') : SANDBOX_CODE);
  const nowMs = deps.clock.now();
  const times = [new Date(nowMs), new Date(nowMs - MINUTE_MS), new Date(nowMs - DAY_MS)] as const;
  return inOrganization(deps.database, scope.organizationId, async (client) => {
    const [stored] = await queries.storeCode(client, [...oneOf(gift), sealedCode, ...times, MOST_CODES_A_DAY]);
    // As it is now: its holder may just have changed it.
    const address = method === 'link' ? stored?.holder_address : gift.address;
    if (stored === undefined || address == null) return false;
    if (isLive)
      await queueNotices(client, deps, {
        organizationId: scope.organizationId,
        recipients: [address],
        notice: {
          kind: 'card_code',
          details: {
            sealed_code: sealedCode,
            expires_minutes: CODE_MINUTES,
            channel: method === 'phone' ? 'phone' : 'email',
            ...mailLanguage(language),
          },
        },
      });
    return true;
  });
}

/** Checks a code; the right one makes the browser the holder, once. */
export async function proveByCode(
  deps: Pick<Deps, 'clock' | 'database' | 'cipher'>,
  gift: ClaimedGift,
  code: string,
  holderHash: Buffer,
): Promise<boolean> {
  const one = oneOf(gift);
  const sentAfter = new Date(deps.clock.now() - CODE_MINUTES * MINUTE_MS);
  const [tried] = await queries.tryCode(deps.database.change, [...one, sentAfter, MOST_TRIES]);
  if (tried === undefined || !isSame(deps.cipher.decrypt(tried.sealed_code), code)) return false;
  return (await queries.acceptProof(deps.database.change, [...one, holderHash, tried.sealed_code])).length > 0;
}

/** Checks the PIN of a link gift; the right one makes the browser the holder. Five wrong ones lock it for an hour, 20 end it. */
export async function proveByPin(
  deps: Pick<Deps, 'clock' | 'database'>,
  gift: ClaimedGift,
  pin: string,
  holderHash: Buffer,
): Promise<boolean> {
  const one = oneOf(gift);
  const nowMs = deps.clock.now();
  const times = [new Date(nowMs), new Date(nowMs - HOUR_MS)] as const;
  const [tried] = await queries.tryPin(deps.database.change, [...one, ...times, MOST_TRIES, MOST_FAILURES]);
  if (tried === undefined) return false;
  const hash = await hashPin(pin, tried.pin.subarray(0, SALT_BYTES), HASH_BYTES);
  if (!timingSafeEqual(hash, tried.pin.subarray(SALT_BYTES))) return false;
  return (await queries.acceptProof(deps.database.change, [...one, holderHash, null])).length > 0;
}

/** Makes the browser the holder of a link gift that a program claimed, if it is the first. */
export const takeCard = async ({ database }: Pick<Deps, 'database'>, gift: ClaimedGift, holderHash: Buffer) =>
  (await queries.takeCard(database.change, [...oneOf(gift), holderHash])).length > 0;

/** Makes the browser the holder of a card that an admin lets another browser show, once. */
export const takeReopened = async (
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  gift: ClaimedGift,
  holderHash: Buffer,
) => (await queries.takeReopened(database.change, [...oneOf(gift), holderHash, new Date(clock.now())])).length > 0;

/** Hashes a PIN with a new salt, for the database. @param pin six digits */
export async function hashNewPin(pin: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, await hashPin(pin, salt, HASH_BYTES)]);
}

/** Keeps what shows the card of a claimed link gift to other browsers, if the browser is its holder. */
export async function keepWayBack(
  { database }: Pick<Deps, 'database'>,
  gift: ClaimedGift,
  holderHash: Buffer,
  { pin, address }: WayBack,
): Promise<void> {
  await queries.storeWayBack(database.change, [...oneOf(gift), holderHash, pin ?? null, address ?? null]);
}

/** Compares a code in constant time. Full-width digits have more bytes than others. */
export function isSame(expected: string | undefined, given: string): boolean {
  const [right, bytes] = [Buffer.from(expected ?? ''), Buffer.from(given)];
  return expected !== undefined && right.length === bytes.length && timingSafeEqual(right, bytes);
}
