import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import { inBothDirections } from '../../platform/paging/read-page.ts';

interface AttemptRow {
  attempted_at: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  body: string | null;
}

export interface DeliveryRow {
  event_id: string;
  type: string;
  sequence: number;
  previous_sequence: number | null;
  state: 'pending' | 'delivered' | 'failed';
  next_attempt_at: Date | null;
  created_at: Date;
  /** Newest first. */
  attempts: AttemptRow[];
}

/** Null columns: the endpoint has no such delivery. */
type FoundDelivery = CallerRow & DeliveryRow & { has_endpoint: boolean };

const SHOWN_ATTEMPTS = 30;

const columns = `d.event_id, d.type, d.sequence, d.previous_sequence, d.state, d.next_attempt_at, d.created_at`;
const attempts = `(
     select coalesce(json_agg(a order by a.attempted_at desc), '[]') from (
       select attempted_at, duration_ms, status, error, body from webhook_attempts
       where organization_id = $1 and environment = $2 and endpoint_id = $4 and sequence = d.sequence
       order by attempted_at desc limit ${SHOWN_ATTEMPTS}
     ) a
   ) as attempts`;
const hasEndpoint = `exists (
     select from webhook_endpoints where organization_id = $1 and environment = $2 and endpoint_id = $4
   ) as has_endpoint`;

/** `$5` is the event that the page begins with, or null. */
export const selectDeliveries = inBothDirections('webhook_deliveries.list', (name, order) =>
  statement<[...CallerParameters, endpointId: string, first: string | null, limit: number], FoundDelivery>(
    name,
    `with ${caller()}
   select ${callerColumns}, ${hasEndpoint}, ${columns}, ${attempts}
   from caller left join lateral (
     select * from webhook_deliveries
     where organization_id = $1 and environment = $2 and endpoint_id = $4 and caller.caller_state = 'admitted'
       and ($5::uuid is null or sequence ${order === 'desc' ? '<=' : '>='} (
         select sequence from webhook_deliveries
         where organization_id = $1 and environment = $2 and endpoint_id = $4 and event_id = $5
       ))
     order by sequence ${order} limit $6
   ) d on true
   order by d.sequence ${order}`,
  ),
);

type EndpointKey = [organizationId: string, environment: Environment, endpointId: string];

/** Ends the pause that the receiver asked for. The endpoint is locked before its deliveries, as by the pusher. */
export const endPause = statement<EndpointKey>(
  'webhook_endpoints.end_pause',
  `update webhook_endpoints set paused_until = null
   where organization_id = $1 and environment = $2 and endpoint_id = $3 and paused_until is not null`,
);

/** Returns no row if the endpoint has no such delivery. */
export const resendDelivery = statement<[...EndpointKey, eventId: string, now: Date], { sequence: number }>(
  'webhook_deliveries.resend',
  `update webhook_deliveries set state = 'pending', attempts = 0, next_attempt_at = $5
   where organization_id = $1 and environment = $2 and endpoint_id = $3 and event_id = $4
   returning sequence`,
);

/**
 * Resends deliveries that failed, or those of a time on: after a sequence, at most `slice`, because a statement has ten
 * seconds. Returns the last sequence, or null if none is left.
 */
export const resendDeliveries = statement<
  [...EndpointKey, from: Date | null, now: Date, after: number, slice: number],
  { count: number; last_sequence: number | null }
>(
  'webhook_deliveries.resend_many',
  `with due as materialized (
     select sequence from webhook_deliveries
     where organization_id = $1 and environment = $2 and endpoint_id = $3 and sequence > $6
       and case when $4::timestamptz is null then state = 'failed' else created_at >= $4 end
     order by sequence limit $7
   ), resent as (
     update webhook_deliveries d set state = 'pending', attempts = 0, next_attempt_at = $5 from due
     where d.organization_id = $1 and d.environment = $2 and d.endpoint_id = $3 and d.sequence = due.sequence
     returning d.sequence
   )
   select count(*)::integer as count, max(sequence) as last_sequence from resent`,
);
