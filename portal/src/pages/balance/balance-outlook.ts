import type { components } from '../../api/schema.d.ts';

const YEAR_DAYS = 365;

/** Describes how long the balance lasts. */
export function outlookText({ balance, days_left }: components['schemas']['BalanceOutlook']): string {
  if (balance === 0) return 'Empty. New orders are declined.';
  if (days_left === null) return 'No orders in the last 7 days.';
  const days = days_left === 1 ? 'About 1 day' : `About ${days_left} days`;
  const left = days_left === 0 ? 'Less than a day' : days_left > YEAR_DAYS ? 'More than a year' : days;
  return `${left} left at last week’s pace`;
}
