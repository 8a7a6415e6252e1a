const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The last whole day before a gift expires, such as `12 May 2027`. */
export const lastDayOf = (expiresAt: Date | string): string => format.format(new Date(expiresAt).getTime() - 1);
