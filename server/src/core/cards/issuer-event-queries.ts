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

/** Issuers that are to be reconciled now. */
export const selectDueIssuers = statementOnEachShard<
  [now: Date, limit: number],
  ChosenIssuer & { organization_id: string; created_at: Date; planned_at: string; reconciled_at: Date | null }
>(
  'issuers.list_due',
  'every minute looks at every organization',
  `select organization_id, issuer_id, kind, settings, created_at, reconcile_at::text as planned_at, reconciled_at
   from issuers
   where reconcile_at <= $1 order by reconcile_at, issuer_id limit $2`,
);

/**
 * Plans the next time; a null time keeps the last success. Changes nothing if another time was planned since, such as after a
 * claim that needs earlier facts.
 */
export const planReconciliation = statement<
  [...OfIssuer, reconcileAt: Date, reconciledAt: Date | null, plannedBefore: string]
>(
  'issuers.plan_reconciliation',
  `update issuers set reconcile_at = $3, reconciled_at = coalesce($4, reconciled_at)
   where organization_id = $1 and issuer_id = $2 and reconcile_at = $5::timestamptz`,
);
