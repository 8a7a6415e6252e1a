import { isDay } from './time.ts';
import { type DayOrder, findDayOrder, splitWritten } from './written-time.ts';

/** A year that has every day. */
const LEAP_YEAR = '2000';

const MONTH_FIRST = /^(?:--)?(\d{1,2})-(\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.?$/;
const EITHER = /^(\d{1,2})\/(\d{1,2})$/;

/** Finds the order of days and months of a file’s days. Returns undefined if a person has to say it. */
export const findOrderOfDays = (texts: readonly string[]): DayOrder | undefined =>
  findDayOrder(texts.map((text) => (EITHER.test(text.trim()) ? `${text.trim()}/${LEAP_YEAR}` : text)));

/**
 * Makes a reader of days of each year as people write them: `1985-12-10`, `10.12.1985`, `12/10/1985`; or without the year,
 * `12-10`, `10.12.`, `12/10`.
 *
 * @returns a function that returns `YYYY-MM-DD` or `MM-DD`, and undefined for another text or a day that does not exist
 */
export function createDayReader(order: DayOrder): (text: string) => string | undefined {
  return (text) => {
    const plain = text.trim();
    const [year, month = '', day = ''] = withYear(plain, order) ?? withoutYear(plain, order) ?? [];
    const written = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (!isDay(`${year ?? LEAP_YEAR}-${written}`)) return undefined;
    return year === undefined ? written : `${year}-${written}`;
  };
}

type Parts = [year: string | undefined, month: string, day: string];

function withYear(text: string, order: DayOrder): Parts | undefined {
  const written = splitWritten(text);
  // A sheet may have midnight after the day.
  if (written === undefined || written.time.some((part) => part !== undefined && Number(part) !== 0)) return undefined;
  const { year, month, day, isOpen } = written;
  return isOpen && order === 'month first' ? [year, day, month] : [year, month, day];
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
