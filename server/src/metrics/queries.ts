import { statement } from '../database/statement.ts';

export interface WaitingRow {
  channel: 'email' | 'phone';
  waiting: number;
}

/**
 * Live messages that wait to be sent, a row for each channel. Not those that a fresh link has replaced: they are never
 * sent.
 *
 * @param limit most to count of each channel
 */
export const countWaitingMessages = statement<[limit: number], WaitingRow>(
  'metrics.count_waiting_messages',
  `select c.channel, w.waiting
   from unnest(enum_range(null::delivery_channel)) as c (channel),
     lateral (
       select count(*) as waiting
       from (
         select from deliveries d
         cross join lateral (
           select from gifts g
           where g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
             and g.delivery_id = d.delivery_id
           limit 1
         ) latest
         where d.environment = 'live' and d.state = 'pending' and d.channel = c.channel
         limit $1
       ) counted
     ) w`,
);
