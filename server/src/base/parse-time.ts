const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** `Date.parse` takes 30 February for 2 March. */
const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/** Parses a time of RFC 3339 with its zone; returns undefined for another text or a time that does not exist. */
export function parseTime(text: string): Date | undefined {
  const time = new Date(text);
  return TIME.test(text) && !Number.isNaN(time.getTime()) && isDay(text.slice(0, 10)) ? time : undefined;
}
