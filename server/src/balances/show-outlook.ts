import { DAY_MS, startOfDay } from '../base/id-time.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectBalance } from './entry-queries.ts';
import { summarizeDays } from './summarize-days.ts';

const WINDOW_DAYS = 7;
const SOON_DAYS = 7;

/** How long the balance will last. Amounts are cents. */
interface BalanceOutlook {
  balance: number;
  /** Average of the last six days and today so far. */
  spending_per_day: number;
  /** At the average spending; null if nothing was spent. */
  days_left: number | null;
  lasts_less_than_a_week: boolean;
}

export async function showOutlook(deps: Pick<Deps, 'clock' | 'database'>, scope: Scope): Promise<BalanceOutlook> {
  const nowMs = deps.clock.now();
  const [[row], days] = await Promise.all([
    selectBalance(deps.database.pool, [scope.organizationId, scope.environment]),
    summarizeDays(deps, scope),
  ]);
  const balance = row?.balance_cents ?? 0;
  const spent = days.slice(-WINDOW_DAYS).reduce((sum, { amount }) => sum + amount, 0);
  const elapsedDays = WINDOW_DAYS - 1 + (nowMs - startOfDay(nowMs)) / DAY_MS;
  const perDay = spent / elapsedDays;
  const daysLeft = spent === 0 ? null : balance / perDay;
  return {
    balance,
    spending_per_day: Math.round(perDay),
    days_left: daysLeft === null ? null : Math.floor(daysLeft),
    lasts_less_than_a_week: daysLeft !== null && daysLeft < SOON_DAYS,
  };
}
