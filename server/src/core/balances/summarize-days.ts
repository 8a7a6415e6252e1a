import { DAY_MS, startOfDay } from '../../platform/base/id-time.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { sumDays } from './sum-days.ts';

const DAYS = 30;

interface OrderDay {
  /** The start of the UTC day. */
  day: Date;
  orders: number;
  /** Cents. */
  amount: number;
}

/** Sums orders for each of the last UTC days including today, earliest first, without gaps. */
export async function summarizeDays(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  count = DAYS,
): Promise<OrderDay[]> {
  const tomorrowMs = startOfDay(deps.clock.now()) + DAY_MS;
  const { days } = await sumDays(deps, scope, new Date(tomorrowMs - count * DAY_MS), new Date(tomorrowMs));
  return days.map(({ day, order }) => ({ day, orders: order.entries, amount: 0 - order.amount }));
}

/** Sums orders for each of the last days, and of as many days before them together. */
export async function comparePeriods(deps: Pick<Deps, 'clock' | 'database'>, scope: Scope, count: number) {
  const both = await summarizeDays(deps, scope, 2 * count);
  const before = both.slice(0, count);
  return {
    days: both.slice(count),
    before: {
      orders: before.reduce((sum, { orders }) => sum + orders, 0),
      amount: before.reduce((sum, { amount }) => sum + amount, 0),
    },
  };
}
