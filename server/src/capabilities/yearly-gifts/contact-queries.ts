import { statement } from '../../platform/database/statement.ts';
import type { CalendarRow, Owner } from './queries.ts';
import type { Occasion } from './schema.ts';
import { dayOf, hasTag, isLaterYear } from './sql.ts';

type OneContact = [...Owner, contactId: string];

/** The days of a contact: `YYYY-MM-DD` or `MM-DD`. */
export const selectDays = statement<OneContact, Record<Occasion, string | null>>(
  'yearly_gifts.days_of_contact',
  `select birthday, work_anniversary from contacts
   where organization_id = $1 and environment = $2 and contact_id = $3`,
);

/**
 * A contact's gifts from a date on: those that have a row, and those that come by the rules.
 *
 * @param days JSON of `{ rule_id, date, due_at }[]`: what comes
 */
export const selectOfContact = statement<[...OneContact, from: string, days: string], CalendarRow>(
  'yearly_gifts.list_of_contact',
  `with found as (
     select g.rule_id, g.year::integer, g.date, g.due_at, g.state, g.reason, g.amount_cents, g.order_id, g.request_id
     from yearly_gifts g
     where g.organization_id = $1 and g.environment = $2 and g.contact_id = $3 and g.date >= $4::date
     union all
     select r.rule_id, extract(year from d.date)::integer, d.date, d.due_at, 'coming', null, null, null, null
     from jsonb_to_recordset($5::jsonb) as d (rule_id uuid, date date, due_at timestamptz)
     join yearly_rules r on r.organization_id = $1 and r.environment = $2 and r.rule_id = d.rule_id and not r.is_paused
     join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = $3
       and ${hasTag('r.tag')} and ${isLaterYear(dayOf('r.occasion'), 'd.date')}
     where not exists (
       select from yearly_gifts g
       where g.organization_id = $1 and g.environment = $2 and g.rule_id = r.rule_id and g.contact_id = $3
         and g.year = extract(year from d.date))
   )
   select f.rule_id, r.name as rule, r.mode, r.occasion, c.contact_id, c.name, c.address, f.year, f.date::text, f.due_at,
     f.state, f.reason,
     case when length(${dayOf('r.occasion')}) = 10 then f.year - left(${dayOf('r.occasion')}, 4)::integer end as years,
     coalesce(f.amount_cents, t.amount_cents) as amount_cents, coalesce(f.order_id, q.order_id) as order_id, f.request_id,
     q.state as request_state, count(*) over ()::integer as total,
     sum(coalesce(f.amount_cents, t.amount_cents)) over ()::float8 as total_cents
   from found f
   join yearly_rules r on r.organization_id = $1 and r.environment = $2 and r.rule_id = f.rule_id
   join gift_templates t on t.organization_id = $1 and t.environment = $2 and t.template_id = r.template_id
   join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = $3
   left join gift_requests q on q.organization_id = $1 and q.environment = $2 and q.request_id = f.request_id
   where f.state <> 'coming' or not r.is_paused
   order by f.date, r.name, f.rule_id`,
);
