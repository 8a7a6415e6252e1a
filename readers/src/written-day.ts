import { monthOf } from './month-words.ts';
import { isDay } from './time.ts';
import { clockOf, type DayOrder, findDayOrder, splitWritten } from './written-time.ts';

/** A year that has every day. */
const LEAP_YEAR = '2000';

/** A day of each year: `YYYY-MM-DD`, or `MM-DD` without the year. */
export const DAY_OF_YEAR = '^((19|20)[0-9]{2}-)?(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';
const dayOfYear = new RegExp(DAY_OF_YEAR);

/** Whether the text is a day of each year that exists. The browser and the server ask it. */
export const isDayOfYear = (text: string): boolean =>
  dayOfYear.test(text) && isDay(text.length === 5 ? `${LEAP_YEAR}-${text}` : text);

/** What programs write if there is no day. */
const NO_DAY = /^0{1,4}([-/.])0{1,2}\1\s?0{1,4}\.?$|^1900-01-00|^(?:9999-12-31|31[./]12[./]9999|12\/31\/9999)/;
/** Years that programs write for a day without a year: databases, Apple and Excel. */
const NO_YEARS = ['0000', '1604', '1900'];

const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;
const MONTH_FIRST = /^(?:--)?(\d{1,2})-(\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.?$/;
const EITHER = /^(\d{1,2})\/(\d{1,2})$/;
const SHORT_YEAR = /^(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{2})$/;
const EAST_ASIAN = /^(?:(\d{4})年)?\s?(\d{1,2})月\s?(\d{1,2})日$/;

/** Finds the order of days and months of a file’s days. Returns undefined if a person has to say it. */
export const findOrderOfDays = (texts: readonly string[]): DayOrder | undefined =>
  findDayOrder(
    texts.map((text) => {
      const plain = text.trim();
      if (NO_DAY.test(plain)) return '';
      if (EITHER.test(plain)) return `${plain}/${LEAP_YEAR}`;
      return plain.replace(SHORT_YEAR, `$1$2$3$2${LEAP_YEAR}`);
    }),
  );

/**
 * Makes a reader of days of each year as people and programs write them: `1985-12-10`, `10.12.1985`, `12/10/85`,
 * `10 décembre 1985`, `19851210`; or without the year, `12-10`, `10.12.`, `12/10`, `10-Dec`, `0000-12-10`.
 *
 * @param latest the last day that a year of two digits may mean
 * @returns a function that returns `YYYY-MM-DD` or `MM-DD`; null for what stands for no day, such as `0/0/00`; and undefined
 *   for another text or a day that does not exist
 */
export function createDayReader(
  order: DayOrder,
  latest: Date = new Date(),
): (text: string) => string | null | undefined {
  return (text) => {
    const plain = text.replace(/[\u00a0\u202f\s]+/g, ' ').trim();
    if (NO_DAY.test(plain)) return null;
    const [year, month = '', day = ''] = withYear(plain, order) ?? withoutYear(plain, order) ?? inWords(plain) ?? [];
    const written = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const whole =
      year === undefined || NO_YEARS.includes(year) ? written : `${wholeYear(year, written, latest)}-${written}`;
    return isDayOfYear(whole) ? whole : undefined;
  };
}

type Parts = [year: string | undefined, month: string, day: string];

function withYear(text: string, order: DayOrder): Parts | undefined {
  const [, ...compact] = COMPACT.exec(text) ?? [];
  if (compact.length > 0) return compact as Parts;
  const [, one = '', sign = '', other = '', short = ''] = SHORT_YEAR.exec(text) ?? [];
  if (one !== '') return sign === '/' && order === 'month first' ? [short, one, other] : [short, other, one];
  const written = splitWritten(text);
  if (written === undefined || !isMidnight(written.time)) return undefined;
  const { year, month, day, isOpen } = written;
  return isOpen && order === 'month first' ? [year, day, month] : [year, month, day];
}

/** A sheet may have midnight after the day, and a program midnight in UTC. */
function isMidnight([hours, ...rest]: (string | undefined)[]): boolean {
  if (hours === undefined) return true;
  const zone = rest[3]?.toUpperCase();
  return clockOf([hours, ...rest]) === '00:00:00' && (zone === undefined || zone === 'Z' || zone === '+00:00');
}

function withoutYear(text: string, order: DayOrder): Parts | undefined {
  const [, month = '', after = ''] = MONTH_FIRST.exec(text) ?? [];
  if (month !== '') return [undefined, month, after];
  const [, day = '', next = ''] = DAY_FIRST.exec(text) ?? [];
  if (day !== '') return [undefined, next, day];
  const [, one = '', other = ''] = EITHER.exec(text) ?? [];
  if (one === '') return undefined;
  return order === 'month first' ? [undefined, one, other] : [undefined, other, one];
}

/** Words around a day: `10 de diciembre de 1985`, `10th of December`. */
const AROUND = /(?<=\d)(?:st|nd|rd|th|er|º)(?=[\s,]|$)|\s(?:de|of)(?=\s)|,/gi;
/** Excel writes the month and the year like this, and other people the day. */
const MONTH_AND_NUMBER = /^\p{L}+-\d+$/u;

function inWords(text: string): Parts | undefined {
  const [, ...eastAsian] = EAST_ASIAN.exec(text) ?? [];
  if (eastAsian.length > 0) return eastAsian as Parts;
  if (MONTH_AND_NUMBER.test(text)) return undefined;
  const words = text
    .replace(AROUND, ' ')
    .split(/[\s\-/.]+/)
    .filter(Boolean);
  const at = words.findIndex((word) => /\p{L}/u.test(word));
  const month = monthOf(words[at] ?? '');
  const numbers = words.toSpliced(at, 1);
  if (month === undefined || !numbers.every((word) => /^(?:\d{1,2}|\d{4})$/.test(word))) return undefined;
  const [one = '', other, ...more] = numbers;
  if (more.length > 0 || at > 1) return undefined;
  return one.length === 4 ? [one, String(month), other ?? ''] : [other, String(month), one];
}

/** A year of two digits is the last one whose day is not after the latest. */
function wholeYear(year: string, day: string, latest: Date): string {
  if (year.length !== 2) return year;
  const last = latest.toISOString();
  const century = Number(last.slice(0, 2));
  const whole = `${century}${year}`;
  return `${whole}-${day}` <= last.slice(0, 10) ? whole : `${century - 1}${year}`;
}
