import type { components } from '../api/schema.d.ts';
import { formatMoney } from '../ui/formats.ts';

type Outlook = components['schemas']['BalanceOutlook'];

const YEAR_DAYS = 365;

/** How long the balance lasts, in a sentence. */
export function outlookText({ balance, days_left, spending_per_day }: Outlook, currency: string): string {
  if (balance === 0) return 'It is empty: orders are refused.';
  if (days_left === null) return 'Nothing was ordered in the last seven days.';
  const rate = `at ${formatMoney(spending_per_day, currency)} a day, as in the last week`;
  if (days_left === 0) return `Lasts less than a day ${rate}.`;
  if (days_left > YEAR_DAYS) return `Lasts more than a year ${rate}.`;
  return `Lasts about ${days_left === 1 ? 'a day' : `${days_left} days`} ${rate}.`;
}
