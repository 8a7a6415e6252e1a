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

/**
 * Reads a time without a zone, such as `2026-12-24T09:00`, in the zone of this machine. Returns undefined for another text, and for
 * a time that does not exist, such as one that a change of the clock skips.
 */
export function readLocalTime(text: string): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const time = new Date(year, month - 1, day, hours, minutes, seconds);
  const read = [
    time.getFullYear(),
    time.getMonth() + 1,
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  ];
  return read.every((value, index) => value === parts[index]) ? time : undefined;
}
