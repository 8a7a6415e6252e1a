/** Amounts of every currency have two decimals, also of currencies that are usually written with none or three. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** Formats cents as `1,234.56 USD`. The decimals are passed as text, so that no division rounds a balance. */
export function formatMoney(cents: number, currency: string): string {
  const decimal = new Intl.NumberFormat('en-US', decimals);
  return `${decimal.format(`${cents}e-2` as `${number}`)} ${currency}`;
}
