import { formatMoney } from '../../platform/base/format-money.ts';

/** Money as the command prints it, with the unit that its options take: `975.00 USD (97500 cents)`. */
export const showMoney = (cents: number, currency: string): string =>
  `${formatMoney(cents, currency)} (${cents} cents)`;
