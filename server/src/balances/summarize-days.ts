import { DAY_MS, startOfDay } from '../base/id-time.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { sumDays } from './sum-days.ts';

const DAYS = 30;

/** What was ordered on one UTC day. */
interface OrderDay {
  /** When the day begins. */
  day: Date;
  orders: number;
  /** Cents. */
  amount: number;
}

/** Orders and their value on each of the last 30 UTC days, today included, the earliest first and without a gap. */
export async function summarizeDays(deps: Pick<Deps, 'clock' | 'database'>, scope: Scope): Promise<OrderDay[]> {
  const tomorrow = startOfDay(deps.clock.now()) + DAY_MS;
  const { days } = await sumDays(deps, scope, new Date(tomorrow - DAYS * DAY_MS), new Date(tomorrow));
  return days.map(({ day, order }) => ({ day, orders: order.entries, amount: 0 - order.amount }));
}
