import { readLocalTime, readTime } from './time.ts';

/** Which number of `01/02/2027` is the day. */
export type DayOrder = 'day first' | 'month first';

const TIME_OF_DAY = /(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*([AP])\.?M\.?)?/.source;
const FORMS = {
  year: new RegExp(
    `^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})(?:(?:T|,?\\s+)${TIME_OF_DAY}\\s*(Z|[+-]\\d{2}:\\d{2})?)?$`,
    'i',
  ),
  day: new RegExp(`^(\\d{1,2})\\.\\s?(\\d{1,2})\\.\\s?(\\d{4})(?:,?\\s+${TIME_OF_DAY})?$`, 'i'),
  either: new RegExp(`^(\\d{1,2})[/-](\\d{1,2})[/-](\\d{4})(?:,?\\s+${TIME_OF_DAY})?$`, 'i'),
};

interface Written {
  year: string;
  month: string;
  day: string;
  /** Whether month and day may be the other way round. */
  isOpen: boolean;
  /** Hours, minutes, seconds, AM or PM, zone. */
  time: (string | undefined)[];
}

/** Splits a day or a time as people write it; undefined for another text. */
export function splitWritten(text: string): Written | undefined {
  const plain = text.replace(/[\u00a0\u202f]/g, ' ').trim();
  const byYear = FORMS.year.exec(plain);
  if (byYear) {
    const [, year = '', month = '', day = '', ...time] = byYear;
    return { year, month, day, isOpen: false, time };
  }
  const byDay = FORMS.day.exec(plain) ?? FORMS.either.exec(plain);
  if (!byDay) return undefined;
  const [, day = '', month = '', year = '', ...time] = byDay;
  return { year, month, day, isOpen: !FORMS.day.test(plain), time };
}

/** Whether a text is a day without a time, which needs one. */
export function isDayAlone(text: string): boolean {
  const written = splitWritten(text);
  return written !== undefined && written.time[0] === undefined;
}

/**
 * Finds the order of days and months in the times of one file.
 *
 * @returns undefined if a person has to say it
 */
export function findDayOrder(texts: readonly string[]): DayOrder | undefined {
  const open = texts.flatMap((text) => splitWritten(text) ?? []).filter(({ isOpen }) => isOpen);
  const isDayFirst = open.some(({ day }) => Number(day) > 12);
  const isMonthFirst = open.some(({ month }) => Number(month) > 12);
  const isSettled = open.length === 0 || isDayFirst !== isMonthFirst;
  return isSettled ? (isMonthFirst ? 'month first' : 'day first') : undefined;
}

/**
 * Makes a reader of times as people write them: `2026-12-24 09:00`, `24.12.2026`, `12/24/2026 9:00 AM`, or with a zone as in
 * RFC 3339. Without a zone they are in the person's.
 *
 * @param timeOfDay for a day alone, such as `09:00`
 * @returns a function that returns undefined for another text, or for a time that does not exist
 */
export function createTimeReader(order: DayOrder, timeOfDay: string): (text: string) => Date | undefined {
  return (text) => {
    const written = splitWritten(text);
    if (written === undefined) return undefined;
    const { year, isOpen, time } = written;
    const [month, day] =
      isOpen && order === 'month first' ? [written.day, written.month] : [written.month, written.day];
    const clock = time[0] === undefined ? `${timeOfDay}:00` : clockOf(time);
    if (clock === undefined) return undefined;
    const local = `${year}-${two(month)}-${two(day)}T${clock}`;
    const zone = time[4]?.toUpperCase();
    return zone === undefined ? readLocalTime(local) : readTime(`${local}${zone}`);
  };
}

const two = (number: string) => number.padStart(2, '0');

/** The hours, minutes and seconds of a day; undefined for hours that a clock with AM and PM does not have. */
export function clockOf([hours = '', minutes = '', seconds = '00', half]: (string | undefined)[]): string | undefined {
  if (half === undefined) return `${two(hours)}:${minutes}:${seconds}`;
  const hour = Number(hours);
  if (hour < 1 || hour > 12) return undefined;
  return `${two(String((hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)))}:${minutes}:${seconds}`;
}
