/** Every currency has two decimals here, also those that people write with none or three. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** `1,234.56 USD`. Exact for every balance: the number is handed over in decimals, never divided. */
export function formatMoney(cents: number, currency: string): string {
  const decimal = new Intl.NumberFormat('en-US', decimals);
  return `${decimal.format(`${cents}e-2` as `${number}`)} ${currency}`;
}

/** Making a format takes 50 µs; an installation has one currency and few languages. */
const formats = new Map<string, Intl.NumberFormat>();

/** Cents as people write money: `$25.00`. @param locale a tag of BCP 47 */
export function formatAmount(cents: number, currency: string, locale = 'en'): string {
  const key = `${locale} ${currency}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...decimals });
  formats.set(key, format);
  return format.format(cents / 100);
}
