const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether the text is a day that exists, such as 2027-02-28. JavaScript takes 30 February for 2 March. */
export function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Reads a time of RFC 3339 with its zone. Returns undefined for another text, or for a time that does not exist. */
export function readTime(text: string): Date | undefined {
  const time = new Date(text);
  return TIME.test(text) && !Number.isNaN(time.getTime()) && isDay(text.slice(0, 10)) ? time : undefined;
}
