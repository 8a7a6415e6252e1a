import { queueNotices } from '../../core/notices/queue-notices.ts';
import type { PlaceDeps } from '../../core/orders/place-order.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { dateIn, daysDue, nextRun, yearIn } from './days.ts';
import type { OneRule } from './queries.ts';
import { aboutRule, listTold } from './tell-admins.ts';
import { forgetPersons } from './unsent-queries.ts';
import * as queries from './work-queries.ts';

/** A gift is announced so long before its day. */
const AHEAD_MS = 7 * DAY_MS;
/** A gift that could not be sent on its day is sent so long afterwards. */
export const LATEST_MS = 7 * DAY_MS;

/**
 * Plans the gifts of a rule's next week, at its hour of each day, and emails the admins about the new ones. After an
 * interruption the days since the last run are planned too. Safe in several processes at once: each gift is planned once.
 */
export async function planGifts(
  deps: Pick<PlaceDeps, 'clock' | 'database' | 'ids' | 'tracer'>,
  toRun: queries.RuleToRun,
): Promise<void> {
  const one: OneRule = [toRun.organization_id, toRun.environment, toRun.rule_id];
  await inOrganization(deps.database, toRun.organization_id, async (client) => {
    const [rule] = await queries.lockRuleToRun(client, one);
    const nowMs = deps.clock.now();
    if (rule === undefined || rule.next_run_at.getTime() > nowMs) return;
    const now = new Date(nowMs);
    await queries.deleteUnmeant(client, one);
    await forgetPersons(client, [...one, `${yearIn(rule.time_zone, nowMs) - 1}-01-01`]);
    const days = daysDue(rule, rule.planned_at.getTime(), nowMs + AHEAD_MS);
    const askedAt = rule.mode === 'approval' ? now : null;
    const [planned] = await queries.planGifts(client, [
      ...one,
      rule.tag,
      rule.occasion,
      JSON.stringify(days),
      new Date(nowMs - LATEST_MS),
      askedAt,
      now,
    ]);
    const gifts = planned?.coming ?? 0;
    const isTold = gifts > 0 && !isSameDay(rule, nowMs);
    await queries.setPlanned(client, [...one, now, nextRun(rule, nowMs), isTold]);
    if (!isTold) return;
    const details = { ...aboutRule(toRun, rule), gifts, amount_cents: gifts * rule.amount_cents, mode: rule.mode };
    await queueNotices(client, deps, {
      organizationId: toRun.organization_id,
      recipients: await listTold(client, toRun.organization_id, rule),
      notice: { kind: 'yearly_gifts_coming', details },
    });
  });
}

/** A rule mails at most once a day. */
const isSameDay = ({ time_zone, told_week_at }: queries.LockedRule, nowMs: number) =>
  told_week_at !== null && dateIn(time_zone, told_week_at.getTime()) === dateIn(time_zone, nowMs);
