import { createDayReader } from 'bestow-readers/written-day.ts';

/** A day as the API has it, null of an empty field, or what a person should write instead. */
export type TypedDay = { day: string | null } | { fault: string };

/**
 * Reads a day that a person types: one alone, so no other day says which number is the month.
 *
 * @param latest the last day that a year of two digits may mean
 */
export function readTypedDay(text: string, latest: Date = new Date()): TypedDay {
  if (text.trim() === '') return { day: null };
  const [one, other] = (['day first', 'month first'] as const).map((order) => createDayReader(order, latest)(text));
  const day = one === undefined ? other : one;
  if (one !== undefined && other !== undefined && one !== other)
    return { fault: 'Write the month as a word, such as 3 Apr 1985.' };
  return day === undefined ? { fault: 'Enter a day such as 3 Apr 1985, or 3 Apr without the year.' } : { day };
}
