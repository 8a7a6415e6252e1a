const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/** The milliseconds of a time with its zone; NaN for other texts. */
export const readTimeMs = (text: string): number => (TIME.test(text) ? Date.parse(text) : Number.NaN);
