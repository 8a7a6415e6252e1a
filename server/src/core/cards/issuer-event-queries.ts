import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { insertIssuerEventJobs } from '../../platform/jobs/insert-jobs.ts';
import type { ChosenIssuer } from '../issuer/chosen-issuer.ts';

type OfIssuer = [organizationId: string, issuerId: string];

export const selectIssuer = statement<OfIssuer, ChosenIssuer>(
  'issuers.select',
  'select issuer_id, kind, settings from issuers where organization_id = $1 and issuer_id = $2',
);

/** Keeps a verified event and adds its job, once. */
export const insertIssuerEvent = statement<
  [...OfIssuer, eventId: string, body: string, now: Date, traceparent: string | undefined]
>(
  'issuer_events.insert',
  `with event as (
     insert into issuer_events (organization_id, issuer_id, event_id, body, received_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing
     returning organization_id, issuer_id, event_id
   )
   ${insertIssuerEventJobs('select *, $6::text as traceparent from event where organization_id = $1')}`,
);

export const selectIssuerEvent = statement<
  [...OfIssuer, eventId: string],
  { body: string; received_at: Date; processed_at: Date | null }
>(
  'issuer_events.select',
  `select body, received_at, processed_at from issuer_events
   where organization_id = $1 and issuer_id = $2 and event_id = $3`,
);

export const markProcessed = statement<[...OfIssuer, eventId: string, now: Date]>(
  'issuer_events.mark_processed',
  `update issuer_events set processed_at = $4
   where organization_id = $1 and issuer_id = $2 and event_id = $3 and processed_at is null`,
);

export const deleteOldIssuerEvents = statementOnEachShard<[receivedBefore: Date]>(
  'issuer_events.delete_old',
  'events of every organization are deleted after 30 days',
  'delete from issuer_events where received_at < $1 and processed_at is not null',
);
