import { DAY_MS, startOfDay } from '../../platform/base/id-time.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectBalance } from './entry-queries.ts';
import type { Outlook } from './portal-schema.ts';
import { summarizeDays } from './summarize-days.ts';

const WINDOW_DAYS = 7;
const SOON_DAYS = 7;

export async function showOutlook(deps: Pick<Deps, 'clock' | 'database'>, scope: Scope): Promise<Outlook> {
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
