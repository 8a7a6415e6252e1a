import { includes } from '../../platform/authentication/role-sql.ts';

// Parts of statements about yearly gifts.

/** The contact's day of the rule's occasion: `YYYY-MM-DD` or `MM-DD`. */
export const dayOf = (occasion: string, contact = 'c'): string =>
  `case ${occasion} when 'birthday' then ${contact}.birthday else ${contact}.work_anniversary end`;

/** The years from a day with a year; null of one without. */
export const yearsOf = (day: string, year: string): string =>
  `case when length(${day}) = 10 then ${year} - left(${day}, 4)::integer end`;

/** Whether a contact has the rule's tag. */
export const hasTag = (tag: string): string => `(${tag}::text is null or c.tags @> array[${tag}::text])`;

/** Whether the date is in a later year than the day. The day itself, if its year is known, is no anniversary. */
export const isLaterYear = (day: string, date: string): string =>
  `(length(${day}) = 5 or left(${day}, 4)::integer < extract(year from ${date}::date))`;

/** Whether the day is on the date; 29 February is on 28 February in other years. */
const isOnDate = (day: string, date: string): string =>
  `(right(${day}, 5) = to_char(${date}, 'MM-DD')
     or right(${day}, 5) = '02-29' and to_char(${date}, 'MM-DD') = '02-28' and to_char(${date} + 1, 'MM') = '03')`;

/** Whether the contact `c` has the tag of the rule `r`, and its day on the date. */
export const isMeantFor = (date: string): string =>
  `(${hasTag('r.tag')} and ${isOnDate(dayOf('r.occasion'), date)} is true)`;

/**
 * SQL: forgets gifts that were neither asked for nor bought. One with earlier attempts keeps their number, so that no key is
 * used twice.
 *
 * @param gifts condition on `yearly_gifts g`
 */
export const forget = (gifts: string): string =>
  `with deleted as (
     delete from yearly_gifts g where ${gifts} and g.attempt = 0
   )
   update yearly_gifts g set state = 'canceled', reason = null, next_try_at = null where ${gifts} and g.attempt > 0`;

/** SQL: whether the member who skipped the gift may change rules; null: it is not known who did. */
export const isSkipOfSettings = (skippedBy: string): string =>
  `(select ${includes('m', 'settings')} from members m where m.organization_id = $1 and m.member_id = ${skippedBy})`;

/** SQL: whether a gift was sent or will be, as far as is known. */
const IS_COUNTED = `stage not in ('canceled', 'skipped', 'declined', 'missed')`;

/**
 * SQL: the rest of a statement that shows the gifts of the CTE `found` as the calendar does, until its `from stated`. What was
 * canceled is shown unless it comes again.
 *
 * @param now expression
 */
export const calendarOf = (now: string): string => `shown as (
     select f.*, r.name as rule, r.mode, r.occasion, ${dayOf('r.occasion')} as day, c.contact_id is not null as is_contact,
       coalesce(f.amount_cents, t.amount_cents) as cents, q.state as request_state, n.gift_id,
       case when n.gift_id is not null then n.recipient_name else c.name end as name,
       coalesce(n.address, q.address, c.address, f.address) as sent_to, n.is_waiting, n.canceled_at is not null as is_canceled
     from found f
     join yearly_rules r on r.organization_id = $1 and r.environment = $2 and r.rule_id = f.rule_id
     join gift_templates t on t.organization_id = $1 and t.environment = $2 and t.template_id = r.template_id
     left join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = f.contact_id
     left join gift_requests q on q.organization_id = $1 and q.environment = $2 and q.request_id = f.request_id
     left join gifts n on n.organization_id = $1 and n.environment = $2 and n.order_id = coalesce(f.order_id, q.order_id)
     where case f.state
       when 'coming' then not r.is_paused and ${isMeantFor('f.date')}
       when 'canceled' then f.reason is not null and not (not r.is_paused and f.due_at > ${now} and ${isMeantFor('f.date')} is true)
       else true end
   ), stated as (
     select *, case
       when state not in ('requested', 'ordered') then state
       when is_canceled then 'canceled' when is_waiting then 'scheduled' when gift_id is not null then 'ordered'
       when state = 'ordered' or request_state = 'approved' then 'ordered'
       when request_state in ('open', 'approving') then 'requested' else 'declined' end as stage
     from shown
   )
   select rule_id, rule, mode, occasion, contact_id, is_contact, name, sent_to as address, year::integer, date::text, due_at,
     stage as state, reason, ${yearsOf('day', 'year')} as years,
     cents as amount_cents, gift_id, request_id,
     stage = 'skipped' and coalesce(${isSkipOfSettings('skipped_by')}, true) as needs_settings, count(*) over ()::integer as found,
     count(*) filter (where ${IS_COUNTED}) over ()::integer as total,
     coalesce(sum(cents) filter (where ${IS_COUNTED}) over (), 0)::float8 as total_cents`;
