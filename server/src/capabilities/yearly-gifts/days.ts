import { DAY_MS } from '../../platform/base/id-time.ts';

/** When a rule sends: at this hour of the day, in an IANA time zone. */
interface Clock {
  time_zone: string;
  hour: number;
}

/** A day of contacts and when its gifts are due. */
interface DueDay {
  /** `MM-DD`, as contacts have it. */
  day: string;
  /** `YYYY-MM-DD` */
  date: string;
  due_at: Date;
}

const LONGEST_MS = 366 * DAY_MS;

const zoned = (timeZone: string, ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);

/** Whether it is the name of a zone, not an offset such as `+01:00`. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    zoned(text, 0);
    return true;
  } catch {
    return false;
  }
}

const dayIn = (timeZone: string, ms: number): Temporal.PlainDate => zoned(timeZone, ms).toPlainDate();

/** The calendar day in the zone, `YYYY-MM-DD`. */
export const dateIn = (timeZone: string, ms: number): string => dayIn(timeZone, ms).toString();

export const yearIn = (timeZone: string, ms: number): number => zoned(timeZone, ms).year;

/** The moment of the hour on a day. An hour that the clocks skip is the one after; of an hour twice it is the first. */
function dueOn({ time_zone, hour }: Clock, day: Temporal.PlainDate): Date {
  const plainTime = new Temporal.PlainTime(hour);
  const dueMs = day.toZonedDateTime({ timeZone: time_zone, plainTime }).epochMilliseconds;
  return new Date(dueMs);
}

/** The next moment of the hour after this time. */
export function nextRun(clock: Clock, nowMs: number): Date {
  const today = dayIn(clock.time_zone, nowMs);
  const run = dueOn(clock, today);
  return run.getTime() > nowMs ? run : dueOn(clock, today.add({ days: 1 }));
}

/** So many days. In a year without 29 February its people have 28 February. */
function daysFrom(clock: Clock, first: Temporal.PlainDate, count: number): DueDay[] {
  return Array.from({ length: count }, (_, n) => first.add({ days: n })).flatMap((day) => {
    const due = { date: day.toString(), due_at: dueOn(clock, day) };
    const days = [{ day: due.date.slice(5), ...due }];
    return due.date.endsWith('02-28') && !day.inLeapYear ? [...days, { day: '02-29', ...due }] : days;
  });
}

/** The days that are due after one time, until the date of another. */
export function daysDue(clock: Clock, afterMs: number, untilMs: number): DueDay[] {
  const first = dayIn(clock.time_zone, Math.max(afterMs, untilMs - LONGEST_MS));
  const count = first.until(dayIn(clock.time_zone, untilMs)).days + 1;
  return daysFrom(clock, first, count).filter(({ due_at }) => due_at.getTime() > afterMs);
}

/** The days of a month that are due after a time. @param monthMs its first moment in UTC */
export function daysOfMonth(clock: Clock, monthMs: number, afterMs: number): DueDay[] {
  const first = dayIn('UTC', monthMs);
  return daysFrom(clock, first, first.daysInMonth).filter(({ due_at }) => due_at.getTime() > afterMs);
}

/** The first and the last day of a month, `YYYY-MM-DD`. @param monthMs its first moment in UTC */
export function endsOfMonth(monthMs: number): { first: string; last: string } {
  const first = dayIn('UTC', monthMs);
  return { first: first.toString(), last: first.with({ day: first.daysInMonth }).toString() };
}

/** A contact's day in a year. @param day `MM-DD` */
export function dueInYear(clock: Clock, day: string, year: number): Omit<DueDay, 'day'> {
  const [month = 1, date = 1] = day.split('-').map(Number);
  const first = new Temporal.PlainDate(year, month, 1);
  const on = first.with({ day: Math.min(date, first.daysInMonth) });
  return { date: on.toString(), due_at: dueOn(clock, on) };
}
