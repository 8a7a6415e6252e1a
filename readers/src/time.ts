const DAY = /^\d{4}-\d\d-\d\d$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const TIME_IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z$/;
const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/;

/** Reads ISO 8601. JavaScript takes 30 February for 2 March. */
function existing(text: string): Date | undefined {
  const time = new Date(text);
  const day = text.slice(0, 10);
  const start = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(time.getTime()) && start.toISOString().startsWith(day);
  return exists ? time : undefined;
}

/** Whether the text is a day that exists, such as 2027-02-28. PostgreSQL has no year 0. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && existing(text) !== undefined && !text.startsWith('0000');

/**
 * Reads a time of RFC 3339 with its zone, also with a small `t` or `z`. Returns undefined for another text, or for a time that
 * does not exist.
 */
export const readTime = (text: string): Date | undefined =>
  TIME.test(text) ? existing(text.toUpperCase()) : undefined;

/**
 * Reads a day, which stands for its first moment in UTC, or a time in UTC with or without seconds: `2027-01-31`,
 * `2027-01-31T18:00Z`. Returns undefined for another text, or for a day or time that does not exist.
 */
export function readDayOrTime(text: string): Date | undefined {
  const isRead = isDay(text) || (TIME_IN_UTC.test(text) && isDay(text.slice(0, 10)));
  return isRead ? existing(text) : undefined;
}

/** Reads a month in UTC, such as `2026-11`: its first moment and that of the next month. Returns undefined for another text. */
export function readMonth(text: string): { from: Date; to: Date } | undefined {
  if (!MONTH.test(text) || !isDay(`${text}-01`)) return undefined;
  const from = new Date(`${text}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + 1);
  return { from, to };
}

/**
 * Reads a time without a zone as a time in the zone of this computer: `2026-12-24T09:00`, also with seconds. Of a time that
 * comes twice, when clocks are set back, it means the first. Returns undefined for another text, for a day that does not
 * exist, and for a time that is skipped when clocks are set forward.
 */
export function readLocalTime(text: string): Date | undefined {
  const parts = LOCAL_TIME.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part = '0') => Number(part));
  const time = new Date(year, month - 1, day, hour, minute, second);
  const isSameDay = time.getFullYear() === year && time.getMonth() === month - 1 && time.getDate() === day;
  const isSameTime = time.getHours() === hour && time.getMinutes() === minute && time.getSeconds() === second;
  return isSameDay && isSameTime ? time : undefined;
}

/**
 * Reads the date of an HTTP header, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Returns undefined for another text, for a date
 * that does not exist, and for one with another day of the week.
 */
export function readHttpDate(text: string): Date | undefined {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toUTCString() === text ? time : undefined;
}

/**
 * Returns the day or time that a program wrote: our own JSON, or a card issuer’s.
 *
 * @throws RangeError for another text, or for a day or time that does not exist
 */
export function dateOf(text: string): Date {
  const date = isDay(text) ? existing(text) : readTime(text);
  if (date === undefined) throw new RangeError(`“${text.slice(0, 40)}” is not a time.`);
  return date;
}
