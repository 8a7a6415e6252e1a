import { includes } from '../../platform/authentication/role-sql.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { OneGift, OneRule, Owner } from './queries.ts';
import type { Mode, Occasion } from './schema.ts';
import { dayOf, forget, hasTag, isLaterYear, isMeantFor, yearsOf } from './statement-parts.ts';

// The statements of each minute, of erasure and of a sandbox's reset. Each is safe to repeat.

/** Whether the contact still has the tag and the day. */
const isMeant = isMeantFor('g.date');

export interface RuleToRun {
  organization_id: string;
  environment: Environment;
  rule_id: string;
}

export const selectRulesToRun = statementOnEachShard<[now: Date], RuleToRun>(
  'yearly_rules.select_to_run',
  'every minute looks at every organization',
  `select organization_id, environment, rule_id from yearly_rules where next_run_at <= $1 and not is_paused
   order by next_run_at`,
);

export interface GiftToDo extends RuleToRun {
  contact_id: string;
  year: number;
}

export const selectGiftsToDo = statementOnEachShard<[now: Date, most: number], GiftToDo>(
  'yearly_gifts.select_to_do',
  'every minute looks at every organization',
  `select g.organization_id, g.environment, g.rule_id, g.contact_id, g.year::integer
   from yearly_gifts g
   join yearly_rules r on r.organization_id = g.organization_id and r.environment = g.environment and r.rule_id = g.rule_id
   where g.next_try_at <= $1 and not r.is_paused
   order by g.next_try_at, g.due_at limit $2`,
);

export interface LockedRule {
  name: string;
  tag: string | null;
  occasion: Occasion;
  time_zone: string;
  hour: number;
  mode: Mode;
  yearly_limit_cents: number | null;
  spent_year: number;
  spent_cents: number;
  planned_at: Date;
  next_run_at: Date;
  told_week_at: Date | null;
  told_waiting_at: Date | null;
  member_id: string;
  email: string;
  may_change: boolean;
  is_active: boolean;
  organization_name: string;
  organization_language: string | null;
  is_suspended: boolean;
  amount_cents: number;
  category_id: string;
  sender_name: string | null;
  message: string | null;
  language: string | null;
}

/** Locks a rule until the transaction ends, so that its orders and its limit come one after another. No row: it is paused. */
export const lockRuleToRun = statement<OneRule, LockedRule>(
  'yearly_rules.lock_to_run',
  `select r.name, r.tag, r.occasion, r.time_zone, r.hour, r.mode, r.yearly_limit_cents::float8, r.spent_year,
     r.spent_cents::float8, r.planned_at, r.next_run_at, r.told_week_at, r.told_waiting_at, r.member_id, m.email,
     ${includes('m', 'settings')} and m.deactivated_at is null as may_change, m.deactivated_at is null as is_active,
     o.name as organization_name, o.language as organization_language, o.suspended_at is not null as is_suspended,
     t.amount_cents, t.category_id, t.sender_name, t.message, t.language
   from yearly_rules r
   join organizations o on o.organization_id = $1
   join members m on m.organization_id = $1 and m.member_id = r.member_id
   join gift_templates t on t.organization_id = $1 and t.environment = $2 and t.template_id = r.template_id
   where r.organization_id = $1 and r.environment = $2 and r.rule_id = $3 and not r.is_paused
   for no key update of r`,
);

/**
 * Adds the gifts of some days, each once. What is too late is missed.
 *
 * @param days JSON of `{ day, date, due_at }[]`
 * @param askedAt when a request is made; null: nothing happens before the gift is due
 */
export const planGifts = statement<
  [
    ...OneRule,
    tag: string | null,
    occasion: Occasion,
    days: string,
    missedBefore: Date,
    askedAt: Date | null,
    now: Date,
  ],
  { coming: number }
>(
  'yearly_gifts.plan',
  `with planned as (
     insert into yearly_gifts (organization_id, environment, rule_id, contact_id, address, external_id, year, date, due_at,
       state, reason, next_try_at, changed_at)
     select $1, $2, $3, c.contact_id, c.address, c.external_id, extract(year from d.date), d.date, d.due_at,
       case when d.due_at <= $7 then 'missed' else 'coming' end, case when d.due_at <= $7 then 'late' end,
       case when d.due_at > $7 then coalesce($8::timestamptz, d.due_at) end, $9
     from jsonb_to_recordset($6::jsonb) as d (day text, date date, due_at timestamptz)
     join contacts c on c.organization_id = $1 and c.environment = $2 and right(${dayOf('$5')}, 5) = d.day
       and ${hasTag('$4')} and ${isLaterYear(dayOf('$5'), 'd.date')}
     for key share of c
     on conflict (organization_id, environment, rule_id, contact_id, year) do update
     set date = excluded.date, due_at = excluded.due_at, state = excluded.state, reason = excluded.reason,
       next_try_at = excluded.next_try_at, changed_at = excluded.changed_at, amount_cents = null, order_id = null,
       request_id = null
     where yearly_gifts.state = 'canceled'
     returning state
   )
   select count(*) filter (where state = 'coming')::integer as coming from planned`,
);

/** Deletes what comes to contacts that no longer have the tag or the day. */
export const deleteUnmeant = statement<OneRule>(
  'yearly_gifts.delete_unmeant',
  forget(`g.organization_id = $1 and g.environment = $2 and g.rule_id = $3 and g.state = 'coming' and not exists (
       select from yearly_rules r
       join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = g.contact_id
       where r.organization_id = $1 and r.environment = $2 and r.rule_id = $3 and ${isMeant})`),
);

export const setPlanned = statement<[...OneRule, plannedAt: Date, nextRunAt: Date, isTold: boolean]>(
  'yearly_rules.set_planned',
  `update yearly_rules set planned_at = $4, next_run_at = $5, told_week_at = case when $6 then $4 else told_week_at end
   where organization_id = $1 and environment = $2 and rule_id = $3`,
);

export interface LockedGift {
  attempt: number;
  due_at: Date;
  reason: string | null;
  method: 'email' | 'phone';
  address: string;
  name: string | null;
  contact_language: string | null;
  /** Of the person or at work; null if the day has no year. */
  years: number | null;
  /** Whether the contact still has the tag and the day. */
  is_meant: boolean;
}

/** Locks a gift until the transaction ends: an erasure of the person waits for its order. No row: nothing is left to do. */
export const lockGift = statement<[...OneGift, now: Date], LockedGift>(
  'yearly_gifts.lock',
  `select g.attempt, g.due_at, g.reason, c.method, c.address, c.name, c.language as contact_language,
     ${yearsOf(dayOf('r.occasion'), 'g.year')} as years, ${isMeant} as is_meant
   from yearly_gifts g
   join yearly_rules r on r.organization_id = $1 and r.environment = $2 and r.rule_id = g.rule_id
   join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = g.contact_id
   where g.organization_id = $1 and g.environment = $2 and g.rule_id = $3 and g.contact_id = $4 and g.year = $5
     and g.next_try_at <= $6
   for no key update of g`,
);

/** The orders and requests of idempotency keys, if a member placed them or asked for them. */
export const selectDone = statement<
  [...Owner, orderKeys: readonly string[]],
  { order_key: string; order_id: string | null; request_id: string | null; amount_cents: number }
>(
  'yearly_gifts.select_done',
  `select idempotency_key as order_key, order_id, null::uuid as request_id, amount_cents from orders
   where organization_id = $1 and environment = $2 and idempotency_key = any ($3) and key_id is null
   union all
   select q.order_key, null, q.request_id, q.amount_cents from gift_requests q
   where q.organization_id = $1 and q.environment = $2 and q.order_key = any ($3) and q.grant_id is null and not exists (
     select from orders o
     where o.organization_id = $1 and o.environment = $2 and o.idempotency_key = q.order_key and o.key_id is null)`,
);

/** Notes the order, and its cents in the rule's year. */
export const setOrdered = statement<[...OneGift, orderId: string, amountCents: number, now: Date, yearOfNow: number]>(
  'yearly_gifts.set_ordered',
  `with noted as (
     update yearly_gifts set state = 'ordered', order_id = $6, amount_cents = $7, reason = null, next_try_at = null,
       changed_at = $8
     where organization_id = $1 and environment = $2 and rule_id = $3 and contact_id = $4 and year = $5
     returning 1
   )
   update yearly_rules set spent_year = $9, spent_cents = case when spent_year = $9 then spent_cents else 0 end + $7
   where organization_id = $1 and environment = $2 and rule_id = $3 and exists (select from noted)`,
);

export const setRequested = statement<[...OneGift, requestId: string, amountCents: number, now: Date]>(
  'yearly_gifts.set_requested',
  `update yearly_gifts set state = 'requested', request_id = $6, amount_cents = $7, reason = null, next_try_at = null,
     changed_at = $8
   where organization_id = $1 and environment = $2 and rule_id = $3 and contact_id = $4 and year = $5`,
);

export const setMissed = statement<[...OneGift, reason: string, now: Date]>(
  'yearly_gifts.set_missed',
  `update yearly_gifts set state = 'missed', reason = $6, next_try_at = null, changed_at = $7
   where organization_id = $1 and environment = $2 and rule_id = $3 and contact_id = $4 and year = $5`,
);

export const deleteGift = statement<OneGift>(
  'yearly_gifts.delete',
  forget('g.organization_id = $1 and g.environment = $2 and g.rule_id = $3 and g.contact_id = $4 and g.year = $5'),
);

/**
 * Lets a gift wait, or all gifts of the rule that are due. Returns how many did not wait before.
 *
 * @param contactId null: all
 */
export const setWaiting = statement<
  [...OneRule, contactId: string | null, reason: string, nextTryAt: Date, now: Date, missedBefore: Date],
  { gifts: number }
>(
  'yearly_gifts.set_waiting',
  `with due as (
     select contact_id, year, state from yearly_gifts
     where organization_id = $1 and environment = $2 and rule_id = $3 and next_try_at <= $7 and due_at > $8
       and ($4::uuid is null or contact_id = $4)
   ), waiting as (
     update yearly_gifts g set state = 'waiting', reason = $5, next_try_at = $6, changed_at = $7
     from due
     where g.organization_id = $1 and g.environment = $2 and g.rule_id = $3 and g.contact_id = due.contact_id
       and g.year = due.year
     returning due.state
   )
   select count(*) filter (where state = 'coming')::integer as gifts from waiting`,
);

export const setToldWaiting = statement<[...OneRule, now: Date]>(
  'yearly_rules.set_told_waiting',
  'update yearly_rules set told_waiting_at = $4 where organization_id = $1 and environment = $2 and rule_id = $3',
);

/** Locks the contacts of a person, so that no gift is planned for them. @param address in lower case */
export const lockContactsOf = statement<[organizationId: string, address: string], { contact_id: string }>(
  'yearly_gifts.lock_contacts',
  `select contact_id from contacts where organization_id = $1 and ${foldAddress('address')} = $2 for update`,
);

/** Waits for an order that is placed for one of the contacts. Also what is known of contacts that were deleted. */
export const deleteGiftsOf = statement<
  [organizationId: string, address: string, contactIds: readonly string[]],
  { contact_id: string }
>(
  'yearly_gifts.erase',
  `delete from yearly_gifts
   where organization_id = $1 and environment in ('live', 'sandbox')
     and (contact_id = any ($3) or ${foldAddress('address')} = $2)
   returning contact_id`,
);

/** What is known of the yearly gifts of an address, also of contacts that were deleted. @param address in lower case */
export const selectGiftsOf = statement<
  [organizationId: string, address: string],
  { environment: Environment; rule: string; date: string; state: string; external_id: string | null }
>(
  'yearly_gifts.select_held',
  `select g.environment, r.name as rule, g.date::text, g.state, g.external_id from yearly_gifts g
   join yearly_rules r on r.organization_id = $1 and r.environment = g.environment and r.rule_id = g.rule_id
   where g.organization_id = $1 and g.environment in ('live', 'sandbox') and ${foldAddress('g.address')} = $2
   order by g.date, r.name`,
);

/** With their gifts. Waits for an order that a rule is placing. */
export const deleteSandboxRules = statement<[organizationId: string]>(
  'yearly_rules.delete_of_sandbox',
  `delete from yearly_rules where organization_id = $1 and environment = 'sandbox'`,
);
