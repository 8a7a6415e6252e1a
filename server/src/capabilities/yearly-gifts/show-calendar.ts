import { readMonth } from 'bestow-readers/time.ts';
import type { Deps } from '../../core/deps.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { daysOfMonth, endsOfMonth } from './days.ts';
import { type CalendarRow, selectCalendar, selectRules } from './queries.ts';
import type { Calendar, YearlyGift } from './schema.ts';

/** In one month; their number and sum are of all. */
const MOST_SHOWN = 500;

/** A month's gifts: what was sent or missed, and what comes. @param month `YYYY-MM` */
export async function showCalendar(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { organizationId, environment }: Scope,
  month: string,
): Promise<Calendar> {
  const monthMs = readMonth(month)?.from.getTime() ?? 0;
  const { first, last } = endsOfMonth(monthMs);
  const nowMs = clock.now();
  const rules = await selectRules(database.pool, [organizationId, environment, null]);
  const days = rules.flatMap(({ rule_id, ...rule }) =>
    daysOfMonth(rule, monthMs, nowMs).map((day) => ({ rule_id, ...day })),
  );
  const rows = await selectCalendar(database.pool, [
    organizationId,
    environment,
    first,
    last,
    JSON.stringify(days),
    MOST_SHOWN,
    new Date(nowMs),
  ]);
  const { found = 0, total = 0, total_cents: amount = 0 } = rows[0] ?? {};
  return { data: rows.map(presentYearlyGift), total, amount, left_out: found - rows.length };
}

/** A gift of the calendar, with what became of its request. */
export function presentYearlyGift({
  rule_id,
  contact_id,
  gift_id,
  request_id,
  amount_cents,
  found: _,
  total: __,
  total_cents: ___,
  ...row
}: CalendarRow): YearlyGift {
  return {
    ...row,
    rule_id: encodeId('rule', rule_id),
    contact_id: encodeId('con', contact_id),
    amount: amount_cents,
    gift_id: gift_id === null ? null : encodeId('gift', gift_id),
    gift_request_id: request_id === null ? null : encodeId('ask', request_id),
  };
}
