import { dateOf } from 'bestow-readers/time.ts';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The last whole day before a gift expires, such as `12 May 2027`. */
export const lastDayOf = (expiresAt: string): string => format.format(dateOf(expiresAt).getTime() - 1);
