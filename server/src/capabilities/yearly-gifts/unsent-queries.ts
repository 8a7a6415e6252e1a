import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import { forget, isMeantFor } from './statement-parts.ts';

// Statements about what was asked for or ordered for people, and is not sent.

type Owner = [organizationId: string, environment: Environment];

export interface UnsentRow {
  kind: 'request' | 'gift';
  /** Of the request or the gift. */
  id: string;
  method: 'email' | 'phone';
  address: string;
  name: string | null;
  amount_cents: number;
  /** Null: at once. */
  send_at: Date | null;
  /** Of the rule’s gift; null with the next five: no rule asked for it or bought it. */
  rule_id: string | null;
  rule: string | null;
  contact_id: string | null;
  year: number | null;
  /** Whether the contact exists and has the tag and the day. */
  is_meant: boolean | null;
  /** Whether a person kept it, although it would not come any more. */
  is_kept: boolean | null;
}

/** The rules as they would be with the tag of a JSON object; as they are if it is null. */
const changedRules = (next: string) =>
  `(select organization_id, environment, rule_id, name, occasion,
       case when jsonb_typeof(${next}::jsonb) = 'object' then ${next}::jsonb->>'tag' else tag end as tag
     from yearly_rules)`;

const isOfContacts = 'g.contact_id = any ($3::uuid[])';
const isOfRule = 'g.rule_id = $3::uuid';

/** @param addresses expression of folded addresses whose gifts and requests are found too, also of no rule */
/**
 * @param addresses expression of folded addresses whose gifts and requests are found too, also of no rule
 * @param next expression of what the rule would look at
 */
const unsentOf = (gifts: string, addresses?: string, next?: string) => {
  const isToThem = addresses === undefined ? undefined : `${foldAddress('address')} = any (${addresses}::text[])`;
  return `with planned as materialized (
     select g.rule_id, r.name as rule, g.contact_id, g.year::integer, g.request_id, coalesce(g.order_id, q.order_id) as order_id,
       ${isMeantFor('g.date')} is true as is_meant, g.reason is not null as is_kept
     from yearly_gifts g
     join ${next === undefined ? 'yearly_rules' : changedRules(next)} r on r.organization_id = $1 and r.environment = $2 and r.rule_id = g.rule_id
     left join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = g.contact_id
     left join gift_requests q on q.organization_id = $1 and q.environment = $2 and q.request_id = g.request_id
     where g.organization_id = $1 and g.environment = $2 and g.state in ('requested', 'ordered') and ${gifts}
   ), asked as (
     select request_id from planned where order_id is null and request_id is not null${
       isToThem === undefined
         ? ''
         : `
     union
     select request_id from gift_requests where organization_id = $1 and environment = $2 and ${isToThem}`
     }
   ), waiting as (
     select n.gift_id from planned p
     cross join lateral (
       select gift_id from gifts where organization_id = $1 and environment = $2 and order_id = p.order_id and is_waiting
     ) n
     where p.order_id is not null${
       isToThem === undefined
         ? ''
         : `
     union
     select gift_id from gifts where organization_id = $1 and environment = $2 and ${isToThem} and is_waiting`
     }
   )
   select 'request' as kind, q.request_id as id, q.gift->'delivery'->>'method' as method, q.address,
     q.gift->'personalization'->>'recipient_name' as name, q.amount_cents, (q.gift->>'send_at')::timestamptz as send_at,
     p.rule_id, p.rule, p.contact_id, p.year, p.is_meant, p.is_kept
   from asked a
   join gift_requests q on q.organization_id = $1 and q.environment = $2 and q.request_id = a.request_id
     and q.state in ('open', 'approving')
   left join planned p on p.request_id = q.request_id
   union all
   select 'gift', n.gift_id, n.method::text, n.address, n.recipient_name, n.amount_cents, n.scheduled_for,
     p.rule_id, p.rule, p.contact_id, p.year, p.is_meant, p.is_kept
   from waiting w
   join gifts n on n.organization_id = $1 and n.environment = $2 and n.gift_id = w.gift_id
   left join planned p on p.order_id = n.order_id
   order by send_at nulls first, id`;
};

/** In the order in which they are sent. @param addresses folded */
export const selectUnsentOfContacts = statement<
  [...Owner, contactIds: readonly string[], addresses: readonly string[]],
  UnsentRow
>('yearly_gifts.unsent_of_contacts', unsentOf(isOfContacts, '$4'));

/** @param next JSON of `{ tag }`, if the rule would be changed; or of null */
export const selectUnsentOfRule = statement<[...Owner, ruleId: string, next: string], UnsentRow>(
  'yearly_gifts.unsent_of_rule',
  unsentOf(isOfRule, undefined, '$4'),
);

/** The gifts of approved requests that wait for their time. */
export const selectWaitingOf = statement<
  [...Owner, requestIds: readonly string[]],
  { request_id: string; gift_id: string }
>(
  'yearly_gifts.waiting_of',
  `select q.request_id, n.gift_id from gift_requests q
   join gifts n on n.organization_id = $1 and n.environment = $2 and n.order_id = q.order_id and n.is_waiting
   where q.organization_id = $1 and q.environment = $2 and q.request_id = any ($3::uuid[])`,
);

interface DueRow {
  rule_id: string;
  contact_id: string;
  year: number;
  attempt: number;
  time_zone: string;
}

const dueOf = (gifts: string) =>
  `select g.rule_id, g.contact_id, g.year::integer, g.attempt, r.time_zone
   from yearly_gifts g
   join yearly_rules r on r.organization_id = $1 and r.environment = $2 and r.rule_id = g.rule_id
   where g.organization_id = $1 and g.environment = $2 and ${gifts} and g.state in ('coming', 'waiting')
     and g.next_try_at <= $4`;

/** The gifts that a rule may have bought or asked for, without that a process that died could note it. */
export const selectDueOfContacts = statement<[...Owner, contactIds: readonly string[], now: Date], DueRow>(
  'yearly_gifts.due_of_contacts',
  dueOf(isOfContacts),
);

export const selectDueOfRule = statement<[...Owner, ruleId: string, now: Date], DueRow>(
  'yearly_gifts.due_of_rule',
  dueOf(isOfRule),
);

/** Waits for orders that rules are placing. */
export const lockRules = statement<Owner, { rule_id: string }>(
  'yearly_rules.lock_all',
  `select rule_id from yearly_rules where organization_id = $1 and environment = $2 order by rule_id for no key update`,
);

/** JSON of `{ rule_id, contact_id, year }[]`. */
type Gifts = string;

const given = `jsonb_to_recordset($3::jsonb) as d (rule_id uuid, contact_id uuid, year smallint)`;
const isGiven = `g.organization_id = $1 and g.environment = $2 and g.rule_id = d.rule_id and g.contact_id = d.contact_id
     and g.year = d.year`;

/**
 * Notes that what was asked for or bought is canceled, so that the next has another key.
 *
 * @param skippedBy the member who wants none this year; null: it comes again if the contact is meant again
 */
export const setEnded = statement<[...Owner, gifts: Gifts, reason: string | null, now: Date, skippedBy: string | null]>(
  'yearly_gifts.set_ended',
  `update yearly_gifts g set state = case when $6::uuid is null then 'canceled' else 'skipped' end, reason = $4,
     skipped_by = $6, next_try_at = null, changed_at = $5, attempt = g.attempt + 1
   from ${given} where ${isGiven}`,
);

/** Notes why what was asked for or bought would not come any more, if a person had not kept it. */
export const setKept = statement<[...Owner, gifts: Gifts, reason: string]>(
  'yearly_gifts.set_kept',
  `update yearly_gifts g set reason = $4 from ${given} where ${isGiven}`,
);

/** The rules look at once for what comes. */
export const runRulesNow = statement<[...Owner, now: Date]>(
  'yearly_rules.run_now',
  `update yearly_rules set next_run_at = $3
   where organization_id = $1 and environment = $2 and not is_paused and next_run_at > $3`,
);

/** Of contacts that are deleted. */
export const forgetComing = statement<[...Owner, contactIds: readonly string[]]>(
  'yearly_gifts.forget_coming',
  forget(`g.organization_id = $1 and g.environment = $2 and g.contact_id = any ($3::uuid[])
     and g.state in ('coming', 'waiting')`),
);

/** JSON of `{ contact_id, address, external_id }[]`. */
type Persons = string;

const persons = 'jsonb_to_recordset($3::jsonb) as p (contact_id uuid, address text, external_id text)';

/** As long as there is the contact, its gifts have its address and external id. */
export const followIdentity = statement<[...Owner, persons: Persons]>(
  'yearly_gifts.follow_identity',
  `update yearly_gifts g set address = p.address, external_id = p.external_id
   from ${persons}
   where g.organization_id = $1 and g.environment = $2 and g.contact_id = p.contact_id
     and (g.address, g.external_id) is distinct from (p.address, p.external_id)`,
);

/** SQL query: the gifts of deleted contacts who were the same person, one of a rule and year. */
const earlier = `select distinct on (rule_id, year, new_id) * from (
       select g.rule_id, g.contact_id, g.year, g.state, p.contact_id as new_id from ${persons}
       join yearly_gifts g on g.organization_id = $1 and g.environment = $2 and g.external_id = p.external_id
       union
       select g.rule_id, g.contact_id, g.year, g.state, p.contact_id from ${persons}
       join yearly_gifts g on g.organization_id = $1 and g.environment = $2
         and ${foldAddress('g.address')} = ${foldAddress('p.address')}
     ) same
     where contact_id <> new_id and not exists (
       select from contacts c where c.organization_id = $1 and c.environment = $2 and c.contact_id = same.contact_id)
     order by rule_id, year, new_id, state in ('coming', 'waiting', 'canceled'), contact_id`;

/** Deletes what comes to contacts who had the gift as an earlier contact. */
export const deleteReplaced = statement<[...Owner, persons: Persons]>(
  'yearly_gifts.delete_replaced',
  `delete from yearly_gifts g using (${earlier}) e
   where g.organization_id = $1 and g.environment = $2 and g.rule_id = e.rule_id and g.year = e.year
     and g.contact_id = e.new_id and g.state in ('coming', 'waiting', 'canceled')
     and e.state not in ('coming', 'waiting', 'canceled')`,
);

/** Gives contacts the gifts that the same person had as an earlier contact, unless they have their own. */
export const adoptGifts = statement<[...Owner, persons: Persons]>(
  'yearly_gifts.adopt',
  `update yearly_gifts g set contact_id = e.new_id, address = p.address, external_id = p.external_id
   from (${earlier}) e join ${persons} on p.contact_id = e.new_id
   where g.organization_id = $1 and g.environment = $2 and g.rule_id = e.rule_id and g.year = e.year
     and g.contact_id = e.contact_id and not exists (
       select from yearly_gifts o
       where o.organization_id = $1 and o.environment = $2 and o.rule_id = e.rule_id and o.year = e.year
         and o.contact_id = e.new_id)`,
);

/** Forgets who had the gifts of years before the last, of contacts that were deleted. */
export const forgetPersons = statement<[...Owner, ruleId: string, before: string]>(
  'yearly_gifts.forget_persons',
  `update yearly_gifts g set address = null, external_id = null
   where g.organization_id = $1 and g.environment = $2 and g.rule_id = $3 and g.date < $4::date and g.address is not null
     and not exists (
       select from contacts c where c.organization_id = $1 and c.environment = $2 and c.contact_id = g.contact_id)`,
);
