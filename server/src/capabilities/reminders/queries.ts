import { holderOf } from '../../core/delivery/reminder-wanted.ts';
import { insertReminderDeliveries } from '../../core/delivery/statement-parts.ts';
import { isNotHeld, unheldOrganization } from '../../core/gifts/gift/held.ts';
import { idAt } from '../../platform/database/id-at.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { insertMessageJobs } from '../../platform/jobs/insert-jobs.ts';

/** Until when the times of reminders were looked at; null before the first time. */
export const selectProgress = statementOnEachShard<[], { reminded_until: Date | null }>(
  'reminders.select_progress',
  'every minute looks at every organization',
  'select max(reminded_until) as reminded_until from reminder_progress',
);

export const setProgress = statementOnEachShard<[remindedUntil: Date]>(
  'reminders.set_progress',
  'every minute looks at every organization',
  `insert into reminder_progress (reminded_until) values ($1)
   on conflict (is_only) do update set reminded_until = excluded.reminded_until`,
);

const unreminded = `g.method <> 'link' and g.is_waiting is null and g.claimed_at is null and g.canceled_at is null
     and g.declined_at is null and g.delivery_state in ('pending', 'delivered')`;

export interface DueRow {
  organization_id: string;
  gift_id: string;
  day: number;
}

/**
 * The live gifts whose time of a reminder lies between two times: days after the order, or after a scheduled time. Finds
 * ordinary gifts by their ids, which begin with the time of the order.
 */
export const selectDue = statementOnEachShard<[from: Date, to: Date], DueRow>(
  'reminders.select_due',
  'every minute looks at every organization',
  `select o.organization_id, g.gift_id, d.day
   from organizations o
   cross join unnest(o.reminder_days) as d (day)
   cross join lateral (
     select g.gift_id from gifts g
     where g.organization_id = o.organization_id and g.environment = 'live'
       and g.gift_id >= ${idAt(`($1::timestamptz - d.day * interval '24 hours')`)}
       and g.gift_id < ${idAt(`($2::timestamptz - d.day * interval '24 hours')`)}
       and g.scheduled_for is null and ${unreminded}
     union all
     select g.gift_id from gifts g
     where g.organization_id = o.organization_id and g.environment = 'live'
       and g.scheduled_for >= $1::timestamptz - d.day * interval '24 hours'
       and g.scheduled_for < $2::timestamptz - d.day * interval '24 hours'
       and ${unreminded}
   ) g
   order by o.organization_id, g.gift_id`,
);

/**
 * Adds the reminders of an organization's gifts with their jobs, each once. Leaves out gifts that need none by now, and
 * recipients who unsubscribed.
 *
 * @param reminders `{gift_id, day, delivery_id}[]` as JSON
 */
export const insertReminders = statement<
  [organizationId: string, reminders: string, linkExpiresAt: Date, now: Date, erasedAddress: string]
>(
  'reminders.insert',
  `with ${unheldOrganization}, reminder as (
     ${insertReminderDeliveries(`select g.organization_id, g.environment, g.gift_id, r.delivery_id, g.method::text::delivery_channel, g.address,
       g.link_version, $3, 'pending', $4, r.day
     from json_to_recordset($2) as r (gift_id uuid, day smallint, delivery_id uuid)
     join gifts g on g.organization_id = $1 and g.environment = 'live' and g.gift_id = r.gift_id
     where ${unreminded} and g.address <> $5 and ${isNotHeld} and (g.expires_at > $4) is not false
       and not exists (
         select from unsubscribed u where u.organization_id = $1 and u.holder = ${holderOf('g.organization_id', 'g.address')})`)}
     returning *
   )
   ${insertMessageJobs('select *, null::text as traceparent from reminder where organization_id = $1')}`,
);

/** The address that a link of this version was sent to. */
export const selectAddressOfLink = statement<
  [organizationId: string, environment: string, giftId: string, linkVersion: number],
  { address: string; sender_name: string; language: string | null; organization_language: string | null }
>(
  'reminders.select_address_of_link',
  `select d.address, g.sender_name, g.language, o.language as organization_language
   from deliveries d
   join organizations o on o.organization_id = $1
   join gifts g on g.organization_id = $1 and g.environment = d.environment and g.gift_id = d.gift_id
   where d.organization_id = $1 and d.environment = $2 and d.gift_id = $3 and d.link_version = $4
   order by d.delivery_id desc limit 1`,
);
