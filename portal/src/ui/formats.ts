/** Formats amounts and times in the language of the browser. */

/** Amounts are hundredths of every currency, including those without decimals and those with three. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...decimals }).format(cents / 100);
}

/** Leaves out `.00`. */
export function formatRoundMoney(cents: number, currency: string): string {
  const format = { style: 'currency', currency, ...decimals, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(undefined, format).format(cents / 100);
}

/** With its sign. */
export function formatChange(cents: number, currency: string): string {
  const format = { style: 'currency', currency, ...decimals, signDisplay: 'exceptZero' } as const;
  return new Intl.NumberFormat(undefined, format).format(cents / 100);
}

const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dateAndSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const monthOnly = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** In the person's time zone. */
export const formatTime = (iso: string, hasSeconds = false) =>
  (hasSeconds ? dateAndSeconds : dateAndTime).format(new Date(iso));
/** A day in UTC, the calendar of the service. */
export const formatDay = (isoDay: string) => dateOnly.format(new Date(isoDay));
/** @param month such as `2026-11` */
export const formatMonth = (month: string) => monthOnly.format(new Date(`${month}-01T00:00:00Z`));
export const formatCount = (count: number) => new Intl.NumberFormat().format(count);

/**
 * Returns the start of the first day and the end of the last, in the person's time zone, as ISO 8601. Ignores a day that is
 * not a valid date, which an edited URL can contain.
 */
export const dayRange = ({ from, to }: { from?: string; to?: string }) => ({
  from: startOfDay(from, 0),
  to: startOfDay(to, 1),
});

function startOfDay(day: string | undefined, plusDays: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  const moment = new Date(Number(year), Number(month) - 1, Number(date) + plusDays);
  // After the year 9999 the text is longer.
  const iso = Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
  return iso.length === '2026-11-21T00:00:00.000Z'.length ? iso : undefined;
}
