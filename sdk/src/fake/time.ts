const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** The milliseconds of a time with its zone; NaN for other texts. */
export function readTimeMs(text: string): number {
  const day = text.slice(0, 10);
  const timeMs = TIME.test(text) ? Date.parse(text) : Number.NaN;
  // JavaScript takes 30 February for 2 March.
  return Number.isNaN(timeMs) || !new Date(day).toISOString().startsWith(day) ? Number.NaN : timeMs;
}
