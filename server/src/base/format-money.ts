/** `1,234.56 USD`. Exact for every balance: the number is handed over in decimals, never divided. */
export function formatMoney(cents: number, currency: string): string {
  const decimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${decimal.format(`${cents}e-2` as `${number}`)} ${currency}`;
}
