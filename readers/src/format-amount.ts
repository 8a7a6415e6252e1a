/** Amounts of every currency have two decimals, also of currencies that are usually written with none or three. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** Making a format takes 50 µs, and an installation has one currency and few languages. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats cents as people write money: `$25.00`. @param locale a tag of BCP 47 */
export function formatAmount(cents: number, currency: string, locale = 'en'): string {
  const key = `${locale} ${currency}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...decimals });
  formats.set(key, format);
  return format.format(cents / 100);
}

/** The locale of a language's amounts and dates: digits are those of cards and codes in every language. */
export const localeOf = (language: string): string => (language === 'ar' ? 'ar-u-nu-latn' : language);
