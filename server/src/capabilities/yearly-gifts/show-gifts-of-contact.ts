import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { selectDays, selectOfContact } from './contact-queries.ts';
import { dateIn, dueInYear, yearIn } from './days.ts';
import { type RuleRow, selectRules } from './queries.ts';
import type { YearlyGift } from './schema.ts';
import { presentYearlyGift } from './show-calendar.ts';

/**
 * The next yearly gifts of a contact, at most one of each rule that is not due yet.
 *
 * @param contactId UUID
 * @throws BestowError `resource_missing`
 */
export async function showGiftsOfContact(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { organizationId, environment }: Scope,
  contactId: string,
): Promise<YearlyGift[]> {
  const one = [organizationId, environment, contactId] as const;
  const [[days], rules] = await Promise.all([
    selectDays(database.pool, [...one]),
    selectRules(database.pool, [organizationId, environment, null]),
  ]);
  if (days === undefined) throw new BestowError('resource_missing');
  const nowMs = clock.now();
  const coming = rules.flatMap((rule) => nextOf(rule, days[rule.occasion], nowMs));
  const rows = await selectOfContact(database.pool, [
    ...one,
    dateIn('UTC', nowMs),
    JSON.stringify(coming),
    new Date(nowMs),
  ]);
  return rows.map(presentYearlyGift);
}

/** The next day that is not due yet: of this year, else of the next. */
function nextOf(rule: RuleRow, day: string | null, nowMs: number) {
  if (day === null) return [];
  const year = yearIn(rule.time_zone, nowMs);
  return [year, year + 1]
    .map((one) => ({ rule_id: rule.rule_id, ...dueInYear(rule, day.slice(-'MM-DD'.length), one) }))
    .filter(({ due_at }) => due_at.getTime() > nowMs)
    .slice(0, 1);
}
