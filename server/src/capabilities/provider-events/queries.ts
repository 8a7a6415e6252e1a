import { statement } from '../../platform/database/statement.ts';
import { insertJobs } from '../../platform/jobs/insert-jobs.ts';
import { queues } from '../../platform/jobs/tasks.ts';

type Id = [provider: string, eventId: string];

/** Keeps an event and adds its job. Returns no row if the event is known. */
export const insertEvent = statement<[...Id, type: string, body: string, receivedAt: Date], { event_id: string }>(
  'provider_events.insert',
  `with event as (
     insert into portal.provider_events (provider, event_id, type, body, received_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing
     returning provider, event_id
   ), job as (
     ${insertJobs(`select '${queues.providerEvent.name}' as queue,
         jsonb_build_object('provider', provider, 'eventId', event_id) as data, interval '0' as delay from event`)}
   )
   select event_id from event`,
);

interface ProviderEventRow {
  type: string;
  body: string;
  processed_at: Date | null;
}

export const selectEvent = statement<Id, ProviderEventRow>(
  'provider_events.select',
  'select type, body, processed_at from portal.provider_events where provider = $1 and event_id = $2',
);

/** Events whose work has not succeeded yet. */
export const selectWaiting = statement<[provider: string], { event_id: string }>(
  'provider_events.list_waiting',
  'select event_id from portal.provider_events where provider = $1 and processed_at is null order by received_at',
);

export const finishEvent = statement<[...Id, processedAt: Date]>(
  'provider_events.finish',
  `update portal.provider_events set processed_at = $3
   where provider = $1 and event_id = $2 and processed_at is null`,
);

export const deleteOldEvents = statement<[processedBefore: Date]>(
  'provider_events.delete_before',
  'delete from portal.provider_events where processed_at < $1',
);

export const selectCursor = statement<[provider: string], { reconciled_at: Date }>(
  'provider_cursors.select',
  'select reconciled_at from portal.provider_cursors where provider = $1',
);

/** Moves forward only. */
export const moveCursor = statement<[provider: string, reconciledAt: Date]>(
  'provider_cursors.move',
  `insert into portal.provider_cursors (provider, reconciled_at) values ($1, $2)
   on conflict (provider) do update set reconciled_at = greatest(provider_cursors.reconciled_at, excluded.reconciled_at)`,
);
