import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

/** The events that arrived, of those with these ids, and the time of the latest of all. */
export const selectArrivedEvents = statement<
  [provider: string, eventIds: readonly string[]],
  { arrived: number; latest_at: Date | null }
>(
  'doctor.select_arrived_events',
  `select (select count(*) from portal.provider_events where provider = $1 and event_id = any($2::text[])) as arrived,
     (select max(received_at) from portal.provider_events where provider = $1) as latest_at`,
);

/** Top-ups that should have ended, and those that wait for a person since. */
export const countOpenTopups = statementOnEachShard<[createdBefore: Date], { late: number; waiting: number }>(
  'doctor.count_open_topups',
  'the doctor looks at every top-up that did not end',
  `select count(*) filter (where state = 'pending' and kind <> 'checkout') as late,
     count(*) filter (where state = 'action_required') as waiting
   from topups where state in ('pending', 'processing', 'action_required') and created_at < $1`,
);
