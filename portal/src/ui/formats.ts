import { dateOf, isDay } from 'bestow-readers/time.ts';

/** Formats amounts and times in the person's English, because the portal's text is English. */
const english = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en-US';

/** Amounts are hundredths of every currency, including those without decimals and those with three. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat(english, { style: 'currency', currency, ...decimals }).format(cents / 100);
}

/** Leaves out `.00`. */
export function formatRoundMoney(cents: number, currency: string): string {
  const format = { style: 'currency', currency, ...decimals, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(english, format).format(cents / 100);
}

/** With its sign. */
export function formatChange(cents: number, currency: string): string {
  const format = { style: 'currency', currency, ...decimals, signDisplay: 'exceptZero' } as const;
  return new Intl.NumberFormat(english, format).format(cents / 100);
}

const dateAndTime = new Intl.DateTimeFormat(english, { dateStyle: 'medium', timeStyle: 'short' });
const dateAndSeconds = new Intl.DateTimeFormat(english, { dateStyle: 'medium', timeStyle: 'medium' });
const dateOnly = new Intl.DateTimeFormat(english, { dateStyle: 'medium', timeZone: 'UTC' });
const monthOnly = new Intl.DateTimeFormat(english, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Such as `Europe/Berlin (GMT+1)`: the zone of all times without one. */
export function zoneName(): string {
  const { timeZone } = dateAndTime.resolvedOptions();
  const parts = new Intl.DateTimeFormat(english, { timeZoneName: 'shortOffset' }).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return timeZone === 'UTC' || timeZone === offset ? 'UTC' : `${timeZone.replaceAll('_', ' ')} (${offset})`;
}

/** For the axes of charts: `$1.2K`, `3K`. */
export const formatShort = (count: number) => new Intl.NumberFormat(english, { notation: 'compact' }).format(count);
export const formatShortMoney = (cents: number, currency: string) =>
  new Intl.NumberFormat(english, { style: 'currency', currency, notation: 'compact' }).format(cents / 100);
const shortDay = new Intl.DateTimeFormat(english, { month: 'short', day: 'numeric', timeZone: 'UTC' });
export const formatShortDay = (isoDay: string) => shortDay.format(dateOf(isoDay));

const dayOfYear = new Intl.DateTimeFormat(english, { month: 'long', day: 'numeric', timeZone: 'UTC' });
/** @param day such as `03-14` */
export const formatDayOfYear = (day: string) => dayOfYear.format(dateOf(`2000-${day}`));

/** `12%` */
export const formatShare = (share: number) => new Intl.NumberFormat(english, { style: 'percent' }).format(share);

const dateTimeAndZone = new Intl.DateTimeFormat(english, {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** In the person's time zone, which is named: for a time that is yet to come. */
export const formatPlannedTime = (iso: string) => dateTimeAndZone.format(dateOf(iso));

/** In the person's time zone. */
export const formatTime = (iso: string, hasSeconds = false) =>
  (hasSeconds ? dateAndSeconds : dateAndTime).format(dateOf(iso));
/** A day in UTC, the calendar of the service. */
export const formatDay = (isoDay: string) => dateOnly.format(dateOf(isoDay));
/** @param month such as `2026-11` */
export const formatMonth = (month: string) => monthOnly.format(dateOf(`${month}-01`));
export const formatCount = (count: number) => new Intl.NumberFormat(english).format(count);

/** Such as `1 row` and `12 rows`. */
export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/**
 * Returns the start of the first day and the end of the last, in the person's time zone, as ISO 8601. Ignores a day that is
 * not in the calendar, which an edited URL can contain.
 */
export const dayRange = ({ from, to }: { from?: string; to?: string }) => ({
  from: startOfDay(from, 0),
  to: startOfDay(to, 1),
});

function startOfDay(day: string | undefined, plusDays: number): string | undefined {
  if (day === undefined || !isDay(day)) return undefined;
  const [year, month, date] = day.split('-').map(Number);
  const moment = new Date(Number(year), Number(month) - 1, Number(date) + plusDays);
  // After the year 9999 the text is longer.
  const iso = moment.toISOString();
  return iso.length === '2026-11-21T00:00:00.000Z'.length ? iso : undefined;
}
