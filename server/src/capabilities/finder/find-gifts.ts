import { randomInt } from 'node:crypto';
import { isSame } from '../../core/card-proofs/prove.ts';
import type { Deps } from '../../core/deps.ts';
import type { Address } from '../../core/gifts/gift/read-address.ts';
import { mailLanguage } from '../../core/notices/notice.ts';
import { queueCode } from '../../core/notices/queue-code.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Language } from '../../platform/languages/languages.ts';
import * as codes from './code-queries.ts';
import { type FoundGiftRow, selectAnyAt, selectGiftsAt } from './queries.ts';
import { recordFound } from './record-found.ts';

const CODE_MINUTES = 10;
const MINUTE_MS = 60_000;
const MOST_TRIES = 5;
/** To one address, from one network: a stranger uses up only the own ones. */
const MOST_CODES_A_DAY = 5;
/** To one address, from all networks. */
const MOST_MAILS_A_DAY = 50;
/** The newest gifts are shown. */
export const MOST_GIFTS = 50;

export interface FoundGift extends FoundGiftRow {
  /** A fresh link, valid as long as one in a message. */
  link: string;
}

/** Who asks, for one address. */
export interface Finder extends Address {
  /** Hashes the browser's cookie with a text. */
  hashFor(text: string): Buffer;
  /** The client's network. */
  network: string;
}

const nameOf = ({ address }: Address) => `finder ${address.toLowerCase()}`;
const holderOf = (finder: Finder) => finder.hashFor(nameOf(finder)).toString('hex');
const hashOf = ({ cipher }: Pick<Deps, 'cipher'>, to: Address) => cipher.fingerprint(nameOf(to));

/** Returns how many digits the code of an address has: twelve after many wrong codes, else six. */
export async function digitsOf(deps: Pick<Deps, 'database' | 'cipher'>, to: Address): Promise<number> {
  const [row] = await codes.selectDigits(deps.database.home, [hashOf(deps, to)]);
  return row?.digits ?? 0;
}

/**
 * Makes a code for an address, which only this browser can use. A network gets one a minute and five a day for an address.
 * The work is the same for every address: the worker sends the code only if there is a gift.
 */
export async function requestCode(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'cipher' | 'tracer'>,
  to: Finder,
  language: Language = 'en',
): Promise<void> {
  const addressHash = hashOf(deps, to);
  const networkHash = deps.cipher.fingerprint(`${nameOf(to)} ${to.network}`);
  const digits = await digitsOf(deps, to);
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  const nowMs = deps.clock.now();
  const times = [new Date(nowMs), new Date(nowMs - MINUTE_MS), new Date(nowMs - DAY_MS)] as const;
  await inTransaction(deps.database.home, async (client) => {
    await codes.lockAddress(client, [addressHash]);
    const [stored] = await codes.storeCode(client, [
      holderOf(to),
      deps.cipher.encrypt(code),
      digits,
      addressHash,
      networkHash,
      ...times,
      MOST_CODES_A_DAY,
      MOST_MAILS_A_DAY,
    ]);
    if (stored === undefined) return;
    const mail = { kind: 'finder_code', channel: to.method, ...mailLanguage(language) } as const;
    await queueCode(deps, { recipient: to.address, code, expiresMinutes: CODE_MINUTES, ...mail }, client);
  });
}

/** Whether the address has a gift. For the worker, before it sends a code. */
export const hasGifts = async ({ database }: Pick<Deps, 'database'>, address: string): Promise<boolean> =>
  (await selectAnyAt(database.shards, [address.toLowerCase(), 1])).length > 0;

/**
 * Checks a code, which works once, and returns the live gifts of the address, newest first. Each organization's audit log has
 * how many of its gifts were shown.
 *
 * @returns undefined if the code is wrong, too old, used, had five attempts, or is another browser's
 */
export async function findGifts(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'links' | 'cipher'>,
  to: Finder,
  code: string,
): Promise<FoundGift[] | undefined> {
  const nowMs = deps.clock.now();
  const { home, shards } = deps.database;
  const holder = holderOf(to);
  const [tried] = await codes.tryCode(home, [holder, new Date(nowMs - CODE_MINUTES * MINUTE_MS), MOST_TRIES]);
  if (tried === undefined || !isSame(deps.cipher.decrypt(tried.sealed_code), code)) return undefined;
  if ((await codes.endCode(home, [holder, tried.sealed_code])).length === 0) return undefined;
  const rows = await selectGiftsAt(shards, [to.address.toLowerCase(), MOST_GIFTS]);
  const found = rows.toSorted((one, other) => (one.gift_id < other.gift_id ? 1 : -1)).slice(0, MOST_GIFTS);
  for (const [organizationId, gifts] of Map.groupBy(found, ({ organization_id }) => organization_id))
    await recordFound(deps, organizationId, gifts.length);
  const expiresAtMs = nowMs + deps.config.linkTtlMs;
  return found.map((gift) => ({
    ...gift,
    link: deps.links.url({
      organizationId: gift.organization_id,
      environment: 'live',
      giftId: gift.gift_id,
      version: gift.link_version,
      expiresAtMs,
    }),
  }));
}

/** Deletes codes that are older than a day, which no limit counts any more. */
export async function deleteFinderCodes({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  await codes.deleteCodes(database.home, [new Date(clock.now() - DAY_MS)]);
}
