import { includes } from '../../platform/authentication/role-sql.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldText } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Mode, Occasion, YearlyGiftState } from './schema.ts';
import { calendarOf, dayOf, forget, hasTag, isLaterYear, isSkipOfSettings } from './statement-parts.ts';

// Statements about rules, and about the calendar of what comes.

export type Owner = [organizationId: string, environment: Environment];
export type OneRule = [...Owner, ruleId: string];
export type OneGift = [...OneRule, contactId: string, year: number];

type Values = [
  name: string,
  tag: string | null,
  occasion: Occasion,
  templateId: string,
  timeZone: string,
  hour: number,
  mode: Mode,
  yearlyLimitCents: number | null,
  isPaused: boolean,
  memberId: string,
];

export interface RuleRow {
  rule_id: string;
  name: string;
  tag: string | null;
  occasion: Occasion;
  template_id: string;
  time_zone: string;
  hour: number;
  mode: Mode;
  yearly_limit_cents: number | null;
  is_paused: boolean;
  spent_year: number;
  spent_cents: number;
  changed_at: Date;
  template: string;
  amount_cents: number;
  saved_by: string;
  /** Whether that member is active, and their role still includes rules. */
  may_change: boolean;
  contacts: number;
}

/** One rule, or all of them by their names if `ruleId` is null. */
export const selectRules = statement<[...Owner, ruleId: string | null], RuleRow>(
  'yearly_rules.list',
  `select r.rule_id, r.name, r.tag, r.occasion, r.template_id, r.time_zone, r.hour, r.mode, r.yearly_limit_cents::float8,
     r.is_paused, r.spent_year, r.spent_cents::float8, r.changed_at, t.name as template, t.amount_cents, m.email as saved_by,
     ${includes('m', 'settings')} and m.deactivated_at is null as may_change, (
       select count(*)::integer from contacts c
       where c.organization_id = $1 and c.environment = $2 and ${hasTag('r.tag')} and ${dayOf('r.occasion')} is not null
     ) as contacts
   from yearly_rules r
   join gift_templates t on t.organization_id = $1 and t.environment = $2 and t.template_id = r.template_id
   join members m on m.organization_id = $1 and m.member_id = r.member_id
   where r.organization_id = $1 and r.environment = $2 and ($3::uuid is null or r.rule_id = $3)
   order by ${foldText('r.name')}, r.rule_id`,
);

export interface SendingRule {
  name: string;
  tag: string | null;
  occasion: Occasion;
  template_id: string;
}

export const selectSendingRules = statement<Owner, SendingRule>(
  'yearly_rules.list_sending',
  `select name, tag, occasion, template_id from yearly_rules
   where organization_id = $1 and environment = $2 and mode = 'sends' order by name`,
);

export const selectTemplateExists = statement<[...Owner, templateId: string], { template_id: string }>(
  'yearly_rules.template_exists',
  'select template_id from gift_templates where organization_id = $1 and environment = $2 and template_id = $3',
);

/** Returns no row if the name is taken, or the environment has its most rules. Nothing before `now` is sent. */
export const insertRule = statement<
  [...OneRule, ...Values, year: number, now: Date, mostRules: number],
  { rule_id: string }
>(
  'yearly_rules.insert',
  `insert into yearly_rules (organization_id, environment, rule_id, name, tag, occasion, template_id, time_zone, hour, mode,
     yearly_limit_cents, is_paused, member_id, spent_year, planned_at, next_run_at, created_at, changed_at)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $15, $15
   where (select count(*) from yearly_rules where organization_id = $1 and environment = $2) < $16
   on conflict (organization_id, environment, name) do nothing
   returning rule_id`,
);

/** Waits for an order that the rule is placing. */
export const lockRule = statement<
  OneRule,
  { name: string; mode: Mode; occasion: Occasion; is_paused: boolean; changed_at: Date }
>(
  'yearly_rules.lock',
  `select name, mode, occasion, is_paused, changed_at from yearly_rules where organization_id = $1 and environment = $2 and rule_id = $3
   for no key update`,
);

/** Returns no row if another rule has the name. @param plannedAt null: as before */
export const updateRule = statement<[...OneRule, ...Values, now: Date, plannedAt: Date | null], { rule_id: string }>(
  'yearly_rules.update',
  `update yearly_rules r set name = $4, tag = $5, occasion = $6, template_id = $7, time_zone = $8, hour = $9, mode = $10,
     yearly_limit_cents = $11, is_paused = $12, member_id = $13, changed_at = $14, next_run_at = $14,
     planned_at = coalesce($15::timestamptz, planned_at)
   where organization_id = $1 and environment = $2 and rule_id = $3 and not exists (
     select from yearly_rules o
     where o.organization_id = $1 and o.environment = $2 and o.name = $4 and o.rule_id <> r.rule_id)
   returning rule_id`,
);

/** What has not come yet is planned again. */
export const deleteComing = statement<[...OneRule, now: Date]>(
  'yearly_gifts.delete_coming',
  forget(`g.organization_id = $1 and g.environment = $2 and g.rule_id = $3 and g.state = 'coming' and g.due_at > $4`),
);

/** Ends what was due while the rule was paused, or waited then. */
export const missPaused = statement<[...OneRule, now: Date]>(
  'yearly_gifts.miss_paused',
  `update yearly_gifts set state = 'missed', reason = 'paused', next_try_at = null, changed_at = $4
   where organization_id = $1 and environment = $2 and rule_id = $3 and next_try_at is not null and due_at <= $4`,
);

export const deleteRule = statement<OneRule>(
  'yearly_rules.delete',
  'delete from yearly_rules where organization_id = $1 and environment = $2 and rule_id = $3',
);

export interface CalendarRow {
  rule_id: string;
  rule: string;
  mode: Mode;
  occasion: Occasion;
  contact_id: string;
  is_contact: boolean;
  name: string | null;
  address: string | null;
  year: number;
  date: string;
  years: number | null;
  due_at: Date;
  amount_cents: number;
  state: YearlyGiftState;
  reason: string | null;
  gift_id: string | null;
  request_id: string | null;
  /** Whether only a person who changes rules lets it come again. */
  needs_settings: boolean;
  /** Of all. */
  found: number;
  /** Of those that were sent or will be. */
  total: number;
  total_cents: number;
}

/**
 * The gifts of some dates: those that have a row, and those that come by the rules and the contacts' days.
 *
 * @param days JSON of `{ rule_id, day, date, due_at }[]`: what comes
 */
export const selectCalendar = statement<
  [...Owner, from: string, to: string, days: string, most: number, now: Date],
  CalendarRow
>(
  'yearly_gifts.calendar',
  `with found as (
     select g.rule_id, g.contact_id, g.address, g.year, g.date, g.due_at, g.state, g.reason, g.amount_cents, g.order_id,
       g.request_id, g.skipped_by
     from yearly_gifts g
     where g.organization_id = $1 and g.environment = $2 and g.date between $3::date and $4::date
     union all
     select r.rule_id, c.contact_id, c.address, extract(year from d.date)::smallint, d.date, d.due_at, 'coming', null, null,
       null, null, null
     from jsonb_to_recordset($5::jsonb) as d (rule_id uuid, day text, date date, due_at timestamptz)
     join yearly_rules r on r.organization_id = $1 and r.environment = $2 and r.rule_id = d.rule_id
     join contacts c on c.organization_id = $1 and c.environment = $2 and right(${dayOf('r.occasion')}, 5) = d.day
       and ${hasTag('r.tag')} and ${isLaterYear(dayOf('r.occasion'), 'd.date')}
     where not exists (
       select from yearly_gifts g
       where g.organization_id = $1 and g.environment = $2 and g.rule_id = r.rule_id and g.contact_id = c.contact_id
         and g.year = extract(year from d.date) and (g.state <> 'canceled' or r.is_paused))
   ), ${calendarOf('$7')}
   from stated order by date, ${foldText('name')}, contact_id, rule_id limit $6`,
);

export interface SkippableRow {
  name: string;
  time_zone: string;
  hour: number;
  /** `MM-DD`; null: the contact has none, or not the tag. */
  day: string | null;
  /** Of the gift of that year, if it has a row. */
  state: 'coming' | 'requested' | 'waiting' | 'ordered' | 'skipped' | 'missed' | 'canceled' | null;
  due_at: Date | null;
  /** Whether the role of the member who skipped it includes changing rules; null: it is not known who did. */
  was_skipped_by_settings: boolean | null;
}

/** For a transaction that locked the rule. No row: there is no such rule or contact. */
export const selectSkippable = statement<OneGift, SkippableRow>(
  'yearly_gifts.select_skippable',
  `select r.name, r.time_zone, r.hour, g.state, g.due_at, ${isSkipOfSettings('g.skipped_by')} as was_skipped_by_settings,
     case when ${hasTag('r.tag')} then right(${dayOf('r.occasion')}, 5) end as day
   from yearly_rules r
   join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = $4
   left join yearly_gifts g on g.organization_id = $1 and g.environment = $2 and g.rule_id = r.rule_id
     and g.contact_id = c.contact_id and g.year = $5
   where r.organization_id = $1 and r.environment = $2 and r.rule_id = $3`,
);

export const upsertSkipped = statement<[...OneGift, date: string, dueAt: Date, now: Date, skippedBy: string]>(
  'yearly_gifts.skip',
  `insert into yearly_gifts (organization_id, environment, rule_id, contact_id, address, external_id, year, date, due_at,
     state, changed_at, skipped_by)
   select $1, $2, $3, c.contact_id, c.address, c.external_id, $5, $6, $7, 'skipped', $8, $9
   from contacts c where c.organization_id = $1 and c.environment = $2 and c.contact_id = $4
   on conflict (organization_id, environment, rule_id, contact_id, year) do update
   set date = excluded.date, due_at = excluded.due_at, state = 'skipped', reason = null, next_try_at = null,
     changed_at = excluded.changed_at, skipped_by = excluded.skipped_by`,
);

/** A skip by someone who changes rules is theirs, also if another person skipped before. */
export const setSkippedBy = statement<[...OneGift, skippedBy: string]>(
  'yearly_gifts.set_skipped_by',
  `update yearly_gifts set skipped_by = $6
   where organization_id = $1 and environment = $2 and rule_id = $3 and contact_id = $4 and year = $5 and state = 'skipped'`,
);

export const deleteSkipped = statement<OneGift>(
  'yearly_gifts.unskip',
  forget(`g.organization_id = $1 and g.environment = $2 and g.rule_id = $3 and g.contact_id = $4 and g.year = $5
     and g.state = 'skipped'`),
);
