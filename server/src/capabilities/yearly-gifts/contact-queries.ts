import { statement } from '../../platform/database/statement.ts';
import type { CalendarRow, Owner } from './queries.ts';
import type { Occasion } from './schema.ts';
import { calendarOf, dayOf, hasTag, isLaterYear } from './statement-parts.ts';

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
export const selectOfContact = statement<[...OneContact, from: string, days: string, now: Date], CalendarRow>(
  'yearly_gifts.list_of_contact',
  `with found as (
     select g.rule_id, g.contact_id, g.address, g.year, g.date, g.due_at, g.state, g.reason, g.amount_cents, g.order_id,
       g.request_id, g.skipped_by
     from yearly_gifts g
     where g.organization_id = $1 and g.environment = $2 and g.contact_id = $3 and g.date >= $4::date
     union all
     select r.rule_id, c.contact_id, c.address, extract(year from d.date)::smallint, d.date, d.due_at, 'coming', null, null,
       null, null, null
     from jsonb_to_recordset($5::jsonb) as d (rule_id uuid, date date, due_at timestamptz)
     join yearly_rules r on r.organization_id = $1 and r.environment = $2 and r.rule_id = d.rule_id
     join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = $3
       and ${hasTag('r.tag')} and ${isLaterYear(dayOf('r.occasion'), 'd.date')}
     where not exists (
       select from yearly_gifts g
       where g.organization_id = $1 and g.environment = $2 and g.rule_id = r.rule_id and g.contact_id = $3
         and g.year = extract(year from d.date) and (g.state <> 'canceled' or r.is_paused))
   ), ${calendarOf('$6')}
   from stated order by date, rule, rule_id`,
);
