import { readDayOrTime } from 'bestow-readers/time.ts';
import { InvalidArgumentError } from 'commander';
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN } from '../../core/gifts/gift/address-patterns.ts';
import { MAX_OVERLAP_HOURS } from '../../core/keys/roll-key.ts';
import { builtInRoles, isBuiltInRole, type RoleId } from '../../platform/authentication/roles.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { isNetwork } from '../../platform/base/network.ts';
import { isVisibleName } from '../../platform/base/visible-text.ts';
import { eventTypes } from '../../platform/events/event-types.ts';
import type { Patience } from '../../platform/installation/when-there.ts';

// Parsers of command line arguments. An invalid argument exits with code 2. None returns null: commander makes '' of it.

const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
const EMAIL = new RegExp(EMAIL_PATTERN);
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Parses one line of text; counts code points. */
function textUpTo(max: number): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    const length = [...trimmed].length;
    if (length === 0 || length > max || CONTROL_CHARACTER.test(trimmed))
      throw new InvalidArgumentError(`It must be 1 to ${max} characters on one line.`);
    return trimmed;
  };
}

const parseLine = textUpTo(200);
export const parseReference = parseLine;
export const parseReason = parseLine;
export const parseText = textUpTo(1000);

/** A name by which people tell things apart. */
export function parseName(text: string): string {
  const name = parseLine(text);
  if (!isVisibleName(name))
    throw new InvalidArgumentError('It must have no invisible letters and no marks that turn text.');
  return name;
}

export function parseEmail(text: string): string {
  if (text.length > EMAIL_MAX_LENGTH || !EMAIL.test(text))
    throw new InvalidArgumentError('It must be an email address such as name@example.com.');
  return text;
}

/** @returns cents, 1 to 9,007,199,254,740,991 */
export function parseAmount(text: string): number {
  const amountCents = Number(text);
  if (!/^\d{1,16}$/.test(text) || amountCents === 0 || !Number.isSafeInteger(amountCents))
    throw new InvalidArgumentError(`It must be a whole number of cents from 1 to ${Number.MAX_SAFE_INTEGER}.`);
  return amountCents;
}

/** @returns 1 to 9,007,199,254,740,991 */
export function parseBytes(text: string): number {
  const bytes = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(bytes))
    throw new InvalidArgumentError('It must be a whole number of bytes, such as 500000000000.');
  return bytes;
}

/** @returns cents; 0 for no lower bound */
export const parseLeastAmount = (text: string): number => (text === '0' ? 0 : parseAmount(text));

export function parseYear(text: string): number {
  if (!/^2\d{3}$/.test(text)) throw new InvalidArgumentError('It must be a year such as 2026.');
  return Number(text);
}

/** @returns cents, or `off` */
export const parseCap = (text: string): number | 'off' => (text === 'off' ? 'off' : parseAmount(text));

/** @returns cents, 0 included, or `off` */
export const parseAskAbove = (text: string): number | 'off' => (text === '0' ? 0 : parseCap(text));

/** A value that an option sets; null turns it off. */
export const unlessOff = <Value>(value: Value | 'off'): Value | null => (value === 'off' ? null : value);

/** @returns cents, positive or negative, not zero */
export function parseSignedAmount(text: string): number {
  const amountCents = Number(text);
  if (!/^[+-]?\d{1,16}$/.test(text) || amountCents === 0 || !Number.isSafeInteger(amountCents))
    throw new InvalidArgumentError('It must be a whole number of cents, positive or negative, and not 0.');
  return amountCents;
}

/** @returns hours, 0 to 168 */
export function parseOverlap(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > MAX_OVERLAP_HOURS)
    throw new InvalidArgumentError(`It must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}.`);
  return Number(text);
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses how long to wait, such as `30s`, `10m` or `1h`. */
export function parsePatience(text: string): Patience {
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([smh])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined) throw new InvalidArgumentError('It must be a time such as 30s, 10m or 1h.');
  return { ms: Number(count) * unitMs, text };
}

export function parseTime(text: string): Date {
  const time = readDayOrTime(text);
  if (time === undefined)
    throw new InvalidArgumentError('It must be a day such as 2027-01-31, or a time such as 2027-01-31T18:00Z.');
  return time;
}

/** @returns 0 (before the first event) to 9,007,199,254,740,991 */
export const parseAfter = (text: string): number => (text === '0' ? 0 : parseSequence(text));

/** @returns 1 to 9,007,199,254,740,991 */
export function parseSequence(text: string): number {
  const sequence = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(sequence))
    throw new InvalidArgumentError('It must be the sequence of an event: a whole number from 1 on.');
  return sequence;
}

/** Adds a type of event to those before it. */
export function parseEventType(text: string, others: string[] = []): string[] {
  if (!Object.hasOwn(eventTypes, text))
    throw new InvalidArgumentError(`It must be one of ${Object.keys(eventTypes).join(', ')}.`);
  return [...new Set([...others, text])];
}

/** Adds a network to those before it. */
export function parseNetwork(text: string, others: string[] = []): string[] {
  if (!isNetwork(text)) throw new InvalidArgumentError('It must be an address or a range such as 192.0.2.0/24.');
  return [...others, text];
}

export function parseCategoryId(text: string): string {
  if (!SLUG.test(text))
    throw new InvalidArgumentError(
      'It must be 1 to 63 lowercase letters, digits and dashes, and not start with a dash.',
    );
  return text;
}

/** Parses the URL of a picture or page: https, or a path of this service. */
export function parseAddress(text: string): string {
  const isPath = /^\/[^/\\\s]\S*$/.test(text);
  const isSecureAddress = URL.canParse(text) && new URL(text).protocol === 'https:' && !/\s/.test(text);
  if (text.length > 2000 || !(isPath || isSecureAddress))
    throw new InvalidArgumentError('It must start with https://, or with / for a path of this service.');
  return text;
}

/** The number of a shard, from 1. */
export function parseShard(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

export function parsePosition(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999.');
  return Number(text);
}

/** @returns days, or `off` */
export function parseDays(text: string): number | 'off' {
  if (text === 'off') return 'off';
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of days, or off.');
  return Number(text);
}

export function parseDayList(text: string): number[] {
  if (text === 'none') return [];
  if (!/^\d{1,3}(?:,\d{1,3}){0,4}$/.test(text))
    throw new InvalidArgumentError('It must be up to five numbers of days with commas between them, or none.');
  return text.split(',').map(Number);
}

export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
}

/** @returns the text; 0 chooses a free port */
export function parsePort(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  return text;
}

/** @returns a built-in role, or the id of an own one */
export function parseRole(text: string): RoleId {
  if (isBuiltInRole(text)) return text;
  if (decodeId('role', text) === undefined)
    throw new InvalidArgumentError(`It must be one of ${builtInRoles.join(', ')}, or the id of an own role (role_…).`);
  return text as RoleId;
}
