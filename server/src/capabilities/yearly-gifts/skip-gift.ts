import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import type { Deps } from '../../core/deps.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import { lackOfRole } from '../../platform/authentication/permissions.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { dueInYear } from './days.ts';
import { type GiftOfYear, orderKey } from './order-key.ts';
import * as queries from './queries.ts';
import { selectOrder } from './work-queries.ts';

interface Skip {
  gift: GiftOfYear;
  isSkipped: boolean;
  actor: Extract<Actor, { kind: 'member' }>;
  /** Whether the member’s role includes changing rules. */
  mayChangeRules: boolean;
}

/**
 * Skips a person's gift of one year, or lets it come again. Doing so again changes nothing. What someone skipped who changes
 * rules comes again only by such a person.
 *
 * @throws BestowError `resource_missing`; `admin_required`; `refused` if it was sent or asked for, or its day is past
 */
export const skipGift = (
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  scope: Scope,
  { gift, isSkipped, actor, mayChangeRules }: Skip,
): Promise<void> =>
  inOrganization(deps.database, scope.organizationId, async (client) => {
    const { organizationId, environment } = scope;
    const { ruleId, contactId, year } = gift;
    const one: queries.OneGift = [organizationId, environment, ruleId, contactId, year];
    // No order of the rule is being placed then, except one of a process that died.
    await queries.lockRule(client, [organizationId, environment, ruleId]);
    await waitForOrders(client, scope);
    const [found] = await queries.selectSkippable(client, one);
    if (found === undefined) throw new BestowError('resource_missing');
    const now = new Date(deps.clock.now());
    const due = dueOf(found, year);
    if (isSkipped && found.state === 'skipped' && mayChangeRules)
      await queries.setSkippedBy(client, [...one, actor.memberId]);
    if ((found.state === 'skipped') === isSkipped) return;
    if (isSkipped) {
      const isOpen = found.state === null ? due !== undefined && due.at > now : isOpenState(found.state);
      const [order] = await selectOrder(client, [organizationId, environment, orderKey(gift)]);
      if (!isOpen || due === undefined || order !== undefined) throw refuse();
      await queries.upsertSkipped(client, [...one, due.date, due.at, now, actor.memberId]);
    } else {
      if (!mayChangeRules && found.was_skipped_by_settings !== false)
        throw new BestowError('admin_required', { message: `An admin skipped this gift. ${lackOfRole(['settings'])}` });
      if (found.due_at === null || found.due_at <= now) throw refuse();
      await queries.deleteSkipped(client, one);
    }
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target: encodeId('rule', ruleId),
      action: isSkipped ? 'yearly_gift.skipped' : 'yearly_gift.unskipped',
      details: { name: found.name, year, contact_id: encodeId('con', contactId) },
    });
  });

const isOpenState = (state: queries.CalendarRow['state']) => state === 'coming' || state === 'waiting';

/** A gift that has a row keeps its time. */
function dueOf({ day, due_at, ...clock }: queries.SkippableRow, year: number) {
  if (day === null) return undefined;
  const due = dueInYear(clock, day, year);
  return { date: due.date, at: due_at ?? due.due_at };
}

const refuse = () =>
  new BestowError('refused', {
    message: 'This gift does not come any more: it was sent or asked for, or its day is past.',
  });
