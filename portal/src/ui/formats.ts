/** How amounts and times are written; a person's own language decides. */

/** Amounts are cents of every currency, also of those that are written with no decimals or with three. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...decimals }).format(cents / 100);
}

/** With its sign, also where it is above zero: what was added or taken. */
export function formatChange(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...decimals,
    signDisplay: 'exceptZero',
  });
  return format.format(cents / 100);
}

const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dateAndSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const monthOnly = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** In the person's own time zone. */
export const formatTime = (iso: string, hasSeconds = false) =>
  (hasSeconds ? dateAndSeconds : dateAndTime).format(new Date(iso));
/** A day of the service's calendar, which is UTC's. */
export const formatDay = (isoDay: string) => dateOnly.format(new Date(isoDay));
/** @param month such as `2026-11` */
export const formatMonth = (month: string) => monthOnly.format(new Date(`${month}-01T00:00:00Z`));
export const formatCount = (count: number) => new Intl.NumberFormat().format(count);

/**
 * The moments that a filter's days begin and end at, in the person's own time zone, as ISO 8601. What is not a day of the
 * calendar, as somebody may have written it into the address, filters nothing.
 *
 * @param to the last day that is looked for
 */
export const dayRange = ({ from, to }: { from?: string; to?: string }) => ({
  from: startOfDay(from, 0),
  to: startOfDay(to, 1),
});

function startOfDay(day: string | undefined, plusDays: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  const moment = new Date(Number(year), Number(month) - 1, Number(date) + plusDays);
  // Beyond the year 9999 the text is longer.
  const iso = Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
  return iso.length === '2026-11-21T00:00:00.000Z'.length ? iso : undefined;
}
