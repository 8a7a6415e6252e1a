/** Every currency has two decimals here, also those that people write with none or three. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** `1,234.56 USD`. Exact for every balance: the number is handed over in decimals, never divided. */
export function formatMoney(cents: number, currency: string): string {
  const decimal = new Intl.NumberFormat('en-US', decimals);
  return `${decimal.format(`${cents}e-2` as `${number}`)} ${currency}`;
}

/** Making a format takes 50 µs; an installation has one currency. */
const formats = new Map<string, Intl.NumberFormat>();

/** Cents as people write money: `$25.00`. */
export function formatAmount(cents: number, currency: string): string {
  const format = formats.get(currency) ?? new Intl.NumberFormat('en', { style: 'currency', currency, ...decimals });
  formats.set(currency, format);
  return format.format(cents / 100);
}
