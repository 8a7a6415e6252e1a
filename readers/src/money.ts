const LOCALES = ['en', 'en-CA'];
const DISPLAYS = ['code', 'symbol', 'narrowSymbol'] as const;

/** The code and the signs of a currency, such as USD, US$ and $, the longest first. */
function signsOf(currency: string): string[] {
  const signs = LOCALES.flatMap((locale) =>
    DISPLAYS.flatMap((currencyDisplay) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
        .formatToParts(1)
        .flatMap(({ type, value }) => (type === 'currency' ? value.toUpperCase() : [])),
    ),
  );
  return [...new Set(signs)].sort((a, b) => b.length - a.length);
}

/** What stands between thousands and before the cents. A file's own cells may say which sign is which. */
export type DecimalSign = '.' | ',';

const decimalForms: [RegExp, thousands: RegExp | string][] = [
  [/^(\d{1,15})(?:[.,](\d{1,2}))?$/, ''],
  [/^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))$/, /,/g],
  [/^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2}))$/, /\./g],
  [/^([1-9]\d{0,2}(?:[ ’']\d{3})+)(?:[.,](\d{1,2}))?$/, /[ ’']/g],
];
const wholeForms: Record<DecimalSign, [RegExp, RegExp]> = {
  '.': [/^([1-9]\d{0,2}(?:,\d{3})+)$/, /,/g],
  ',': [/^([1-9]\d{0,2}(?:\.\d{3})+)$/, /\./g],
};

/** Spaces that do not break a line stand between thousands in many languages. */
const plainSpaces = (text: string) => text.replace(/[\u00a0\u2009\u202f]/g, ' ').trim();

/**
 * Makes a reader of amounts: `1250`, `1250.5`, `1,250.00`, `1.250,00`, `1 250,00`, with the currency's own sign or code in front or
 * behind. Refuses all that could mean another amount: a minus, brackets, another currency, a percent sign, a missing whole
 * part.
 *
 * @param decimal the sign before the cents, which says what `1,250` and `1.250` are
 * @returns a function that returns cents, or undefined for all other texts
 */
export function createMoneyReader(currency: string, decimal: DecimalSign | undefined) {
  const signs = signsOf(currency);
  const forms = decimal === undefined ? decimalForms : [...decimalForms, wholeForms[decimal]];
  return (text: string): number | undefined => {
    const number = withoutSign(plainSpaces(text), signs);
    for (const [form, thousands] of forms) {
      const [, whole, fraction = ''] = form.exec(number) ?? [];
      if (whole !== undefined) return Number(`${whole.replaceAll(thousands, '')}${fraction.padEnd(2, '0')}`);
    }
    return undefined;
  };
}

function withoutSign(text: string, signs: readonly string[]): string {
  const upper = text.toUpperCase();
  const front = signs.find((sign) => upper.startsWith(sign)) ?? '';
  const behind = signs.find((sign) => upper.endsWith(sign)) ?? '';
  return text.slice(front.length, text.length - behind.length).trim();
}

/**
 * Finds the sign before the cents in the amounts of one file.
 *
 * @returns undefined if amounts such as `1.250` can be read in two ways, so that a person has to say it
 */
export function findDecimalSign(texts: readonly string[]): DecimalSign | undefined {
  const numbers = texts.map((text) => plainSpaces(text).replace(/[^\d.,]/g, ''));
  const has = (form: RegExp) => numbers.some((number) => form.test(number));
  if (!has(/^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3})+$/)) return '.';
  const isPoint = has(/\.\d{1,2}$|,\d{3}[.,]/);
  const isComma = has(/,\d{1,2}$|\.\d{3}[.,]/);
  return isPoint === isComma ? undefined : isPoint ? '.' : ',';
}
