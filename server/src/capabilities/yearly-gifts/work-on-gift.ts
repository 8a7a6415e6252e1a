import type { PoolClient } from 'pg';
import { requestGift } from '../../capabilities/gift-requests/request-gift.ts';
import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import type { Deps } from '../../core/deps.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import { memberBuyer } from '../../core/orders/buyer.ts';
import { type PlaceDeps, placeOrder } from '../../core/orders/place-order.ts';
import { steerOrder } from '../../core/sandbox/steer-order.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { yearIn } from './days.ts';
import { noteDone } from './note-done.ts';
import { formIdOf, type GiftOfYear, orderKey } from './order-key.ts';
import { LATEST_MS } from './plan-gifts.ts';
import type { OneGift, OneRule } from './queries.ts';
import { aboutRule, listTold } from './tell-admins.ts';
import * as queries from './work-queries.ts';
import { writeGift } from './write-gift.ts';

/** A gift that waits is tried again after so long. */
const RETRY_MS = 600_000;
/** Errors that pass by themselves, or say that an order of the key is there: the next minute looks. */
const PASSING = ['resource_locked', 'idempotency_in_progress', 'idempotency_key_reused'];
/** Reasons that hold for every gift of the rule. */
const OF_RULE = [
  'insufficient_balance',
  'yearly_limit',
  'admin_required',
  'organization_suspended',
  'gifts_on_hold',
  'organization_cap_reached',
  'member_cap_reached',
  'team_cap_reached',
  'organization_not_configured',
];

type WorkDeps = PlaceDeps & Pick<Deps, 'publicUrl'>;

interface Work {
  client: PoolClient;
  scope: Scope;
  toDo: queries.GiftToDo;
  oneRule: OneRule;
  one: OneGift;
  gift: GiftOfYear;
  nowMs: number;
}

/**
 * Buys a person's gift of a year, or asks the admins for it. Safe to repeat after a crash at any point, and in two processes
 * at once: the order's idempotency key and the request's form are made of rule, contact, year and attempt, and rule and gift
 * are locked. What is refused waits and is tried again for seven days.
 *
 * @throws what placing an order throws, unless the gift then waits
 */
export async function workOnGift(deps: WorkDeps, toDo: queries.GiftToDo): Promise<void> {
  const { organization_id: organizationId, environment, rule_id, contact_id, year } = toDo;
  const oneRule: OneRule = [organizationId, environment, rule_id];
  const one: OneGift = [...oneRule, contact_id, year];
  await inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      const [rule] = await queries.lockRuleToRun(client, oneRule);
      if (rule === undefined) return;
      const nowMs = deps.clock.now();
      const [locked] = await queries.lockGift(client, [...one, new Date(nowMs)]);
      if (locked === undefined) return;
      const gift = { ruleId: rule_id, contactId: contact_id, year, attempt: locked.attempt };
      const work: Work = { client, scope: { organizationId, environment }, toDo, oneRule, one, gift, nowMs };
      if (await isNoted(work, rule)) return;
      if (!locked.is_meant) await queries.deleteGift(client, one);
      else if (locked.due_at.getTime() <= nowMs - LATEST_MS) await miss(work, rule, locked);
      else await attempt(deps, work, rule, locked);
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );
}

/** Notes an order that was placed before a crash, or a request. */
const isNoted = ({ client, scope, gift, nowMs }: Work, { time_zone }: queries.LockedRule): Promise<boolean> =>
  noteDone(client, scope, [{ ...gift, timeZone: time_zone }], nowMs).then(([noted]) => noted !== undefined);

async function miss(work: Work, rule: queries.LockedRule, { reason }: queries.LockedGift): Promise<void> {
  // Nothing is called missed while an order of a process that died may commit.
  await waitForOrders(work.client, work.scope);
  if (!(await isNoted(work, rule)))
    await queries.setMissed(work.client, [...work.one, reason ?? 'late', new Date(work.nowMs)]);
}

async function attempt(deps: WorkDeps, work: Work, rule: queries.LockedRule, locked: queries.LockedGift) {
  const { client, one, nowMs } = work;
  const written = writeGift(deps, rule, locked);
  if ('reason' in written) return await wait(deps, work, rule, written.reason);
  const { input } = written;
  try {
    if (rule.mode === 'approval') return await requestIt(deps, work, rule, { locked, input });
    const year = yearIn(rule.time_zone, nowMs);
    const spentCents = rule.spent_year === year ? rule.spent_cents : 0;
    if (rule.yearly_limit_cents !== null && spentCents + rule.amount_cents > rule.yearly_limit_cents)
      return await wait(deps, work, rule, 'yearly_limit');
    const orderId = await place(deps, work, rule, input);
    if (orderId === undefined) return await requestIt(deps, work, rule, { locked, input });
    await queries.setOrdered(client, [...one, orderId, rule.amount_cents, new Date(nowMs), year]);
  } catch (error) {
    if (!(error instanceof BestowError)) throw error;
    if (!PASSING.includes(error.code)) await wait(deps, work, rule, error.reason ?? error.code);
  }
}

/** A gift as it is asked for. */
interface Asked {
  locked: queries.LockedGift;
  input: GiftInputBody;
}

async function requestIt(deps: WorkDeps, work: Work, rule: queries.LockedRule, asked: Asked) {
  const requestId = await ask(deps, work, rule, asked);
  await queries.setRequested(work.client, [...work.one, requestId, rule.amount_cents, new Date(work.nowMs)]);
}

const actorOf = ({ member_id, email }: queries.LockedRule) =>
  ({ kind: 'member', memberId: member_id, email, address: 'a yearly gift' }) as const;

/** Returns the order's UUID; undefined if a rule of the organization holds it back until it is approved. */
async function place(deps: WorkDeps, { scope, gift }: Work, rule: queries.LockedRule, input: GiftInputBody) {
  const key = orderKey(gift);
  const gifts = [input];
  const steering = steerOrder(deps, scope, key, gifts);
  try {
    const { order } = await placeOrder(deps, memberBuyer(scope, actorOf(rule)), key, { gifts }, steering);
    return decodeId('ord', order.order_id) ?? '';
  } catch (error) {
    if (error instanceof BestowError && error.code === 'approval_required') return undefined;
    throw error;
  }
}

/** Returns the request's UUID. Its gift is sent on its day, or at once if an admin approves it later. */
async function ask(deps: WorkDeps, work: Work, rule: queries.LockedRule, { locked, input }: Asked): Promise<string> {
  if (rule.is_suspended) throw new BestowError('organization_suspended');
  if (!rule.may_change) throw new BestowError('admin_required');
  const { due_at } = locked;
  return await requestGift(deps, work.scope, {
    formId: formIdOf(work.gift),
    gift: { ...input, ...(due_at.getTime() > work.nowMs && { send_at: due_at.toISOString() }) },
    actor: actorOf(rule),
    organizationName: rule.organization_name,
    // The order that it would have been: also after a crash, the rule cannot buy it beside the approval.
    yearlyKey: orderKey(work.gift),
  });
}

/** Lets the gift wait, or all gifts of the rule that are due, and emails the admins at most once a day. */
async function wait(deps: WorkDeps, { client, toDo, oneRule, nowMs }: Work, rule: queries.LockedRule, reason: string) {
  const now = new Date(nowMs);
  const contactId = OF_RULE.includes(reason) ? null : toDo.contact_id;
  const times = [new Date(nowMs + RETRY_MS), now, new Date(nowMs - LATEST_MS)] as const;
  const [waiting] = await queries.setWaiting(client, [...oneRule, contactId, reason, ...times]);
  const gifts = waiting?.gifts ?? 0;
  if (gifts === 0 || (rule.told_waiting_at !== null && rule.told_waiting_at.getTime() > nowMs - DAY_MS)) return;
  await queries.setToldWaiting(client, [...oneRule, now]);
  await queueNotices(client, deps, {
    organizationId: toDo.organization_id,
    recipients: await listTold(client, toDo.organization_id, rule),
    notice: { kind: 'yearly_gifts_waiting', details: { ...aboutRule(toDo, rule), gifts, reason } },
  });
}
