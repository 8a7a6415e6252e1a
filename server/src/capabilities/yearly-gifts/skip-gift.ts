import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import type { Deps } from '../../core/deps.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { lackOfRole } from '../../platform/authentication/permissions.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import type { Changer } from './changer.ts';
import { dueInYear } from './days.ts';
import { skipUnsent } from './end-unsent.ts';
import type { GiftOfYear } from './order-key.ts';
import * as queries from './queries.ts';

interface Skip {
  gift: Omit<GiftOfYear, 'attempt'>;
  isSkipped: boolean;
  actor: Extract<Actor, { kind: 'member' }>;
  /** Whether the member’s role includes changing rules. */
  mayChangeRules: boolean;
  changer: Changer;
}

/**
 * Skips a person's gift of one year, or lets it come again. A request for it is withdrawn; an ordered gift that waits for its
 * day is canceled. Doing so again changes nothing. What someone skipped who changes rules comes again only by such a person.
 *
 * @throws BestowError `resource_missing`; `admin_required`; `refused` if it was sent, or its day is past; `resource_locked` while
 *   it is being approved; `sign_in_again`
 */
export const skipGift = (
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>,
  scope: Scope,
  { gift, isSkipped, actor, mayChangeRules, changer }: Skip,
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
      const by = { caller: admitted(scope), actor, changer };
      const isEnded = await skipUnsent(client, deps, by, { ruleId, contactId, year, skippedBy: actor.memberId });
      const [present] = isEnded ? [] : await queries.selectSkippable(client, one);
      if (present !== undefined) {
        if (due === undefined || !isOpen(present.state, due.at > now)) throw refuse();
        await queries.upsertSkipped(client, [...one, due.date, due.at, now, actor.memberId]);
      }
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

const isOpen = (state: queries.SkippableRow['state'], isAhead: boolean): boolean =>
  state === null || state === 'canceled' ? isAhead : state === 'coming' || state === 'waiting';

/** A gift that has a row keeps its time, unless it was canceled. */
function dueOf({ day, due_at, state, ...clock }: queries.SkippableRow, year: number) {
  if (day === null) return undefined;
  const due = dueInYear(clock, day, year);
  return { date: due.date, at: state === 'canceled' ? due.due_at : (due_at ?? due.due_at) };
}

const refuse = () =>
  new BestowError('refused', {
    message: 'This gift does not come any more: it was sent, or its day is past.',
  });
