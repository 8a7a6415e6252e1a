import { DAY_MS } from '../../platform/base/id-time.ts';

/** One digit; pairs or triples that repeat, or each digit twice or thrice; and the same forwards and backwards. */
const PATTERNS = [
  /^(\d)\1{5}$/,
  /^(\d\d)\1\1$/,
  /^(\d{3})\1$/,
  /^(\d)\1(\d)\2(\d)\3$/,
  /^(\d)\1\1(\d)\2\2$/,
  /^(\d)(\d)(\d)\3\2\1$/,
];
/** Ways over the keys of a phone, and steps of numbers, which lists of leaked PINs have at their top. */
const KNOWN = new Set(
  '100000 100200 112358 135790 142536 147258 147369 159357 159753 246810 258369 258456 321654 357159 369258 456123 456852 741852 753159 753951 789456 852456 951753 963852 987321'.split(
    ' ',
  ),
);

/** Whether a PIN is among those that are tried first: a run, a repetition, a known one, or a date that the page may show. */
export const isEasyPin = (pin: string, dates: readonly Date[]): boolean =>
  isRun(pin) ||
  PATTERNS.some((pattern) => pattern.test(pin)) ||
  KNOWN.has(pin) ||
  dates.some((date) => isDate(pin, date));

/** Up or down by one, with 0 after 9 too. */
function isRun(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}

/** In any order of day, month and year. Another time zone may have the day before or after. */
const isDate = (pin: string, date: Date): boolean =>
  [-DAY_MS, 0, DAY_MS].some((shift) => {
    const [year = '', month = '', day = ''] = new Date(date.getTime() + shift).toISOString().slice(0, 10).split('-');
    const short = year.slice(2);
    const written = [day + month + short, month + day + short, short + month + day, year + month, month + year];
    return written.includes(pin);
  });
