import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { EventType } from '../../platform/events/event-types.ts';
import type { EndpointSecrets } from './queries.ts';

export interface LeasedEndpoint extends EndpointSecrets {
  organization_id: string;
  environment: Environment;
  endpoint_id: string;
  url: string;
  types: string[] | null;
  is_ordered: boolean;
  cursor_sequence: number;
  last_matched: number | null;
  failing_since: Date | null;
  failures: number;
  probe_at: Date | null;
}

/** What a push needs of an event. */
export interface EventRow {
  sequence: number;
  event_id: string;
  type: EventType;
  order_id: string | null;
  gift_id: string | null;
  data: Record<string, unknown> | null;
  created_at: Date;
}

const ofEndpoint = (alias: string) =>
  `${alias}.organization_id = e.organization_id and ${alias}.environment = e.environment and ${alias}.endpoint_id = e.endpoint_id`;

/** When an endpoint's next pending delivery is due. An ordered endpoint waits for its oldest one. */
const NEXT_PENDING = `
  select case when e.is_ordered then (
    select d.next_attempt_at from webhook_deliveries d where ${ofEndpoint('d')} and d.state = 'pending'
    order by d.sequence limit 1
  ) else (
    select d.next_attempt_at from webhook_deliveries d where ${ofEndpoint('d')} and d.state = 'pending'
    order by d.next_attempt_at limit 1
  ) end as next_at`;

/** Takes endpoints that have something to push, those first that waited longest. */
export const leaseEndpoints = statementOnEachShard<
  [
    environments: readonly Environment[],
    now: Date,
    leaseId: string,
    leasedUntil: Date,
    isFailing: boolean,
    limit: number,
  ],
  LeasedEndpoint
>(
  'webhook_endpoints.lease',
  'a process pushes the events of every organization',
  `with due as (
     select e.organization_id, e.environment, e.endpoint_id
     from webhook_endpoints e
     cross join lateral (${NEXT_PENDING}) pending
     where e.environment = any($1::environment[]) and e.disabled_at is null
       and (e.leased_until is null or e.leased_until <= $2) and (e.paused_until is null or e.paused_until <= $2)
       and (e.probe_at is not null) = $5
       and (
         pending.next_at <= $2
         or (not e.is_ordered or pending.next_at is null) and (e.probe_at is null or e.probe_at <= $2)
           and e.cursor_sequence < (
             select c.last_sequence from event_counters c
             where c.organization_id = e.organization_id and c.environment = e.environment
           )
       )
     order by e.leased_until nulls first, e.endpoint_id
     limit $6
     for update of e skip locked
   )
   update webhook_endpoints e set lease_id = $3, leased_until = $4
   from due d where ${ofEndpoint('d')}
   returning e.organization_id, e.environment, e.endpoint_id, e.url, e.types, e.is_ordered, e.secret, e.previous_secret,
     e.previous_secret_until, e.earlier_secrets, e.earlier_secrets_until, e.cursor_sequence, e.last_matched, e.failing_since, e.failures, e.probe_at`,
);

export type EndpointKey = [organizationId: string, environment: Environment, endpointId: string];

export const keyOf = ({ organization_id, environment, endpoint_id }: LeasedEndpoint): EndpointKey => [
  organization_id,
  environment,
  endpoint_id,
];

type NewEventRow = EventRow & { is_taken: boolean };

/** Events after a sequence, of every type, so that the limit bounds the work; `is_taken`: it has a delivery. */
export const selectEventsAfter = statement<[...EndpointKey, after: number, limit: number], NewEventRow>(
  'webhook_endpoints.select_events',
  `select e.sequence, e.event_id, e.type, e.order_id, e.gift_id, e.data, e.created_at,
     exists (
       select from webhook_deliveries d
       where d.organization_id = $1 and d.environment = $2 and d.endpoint_id = $3 and d.sequence = e.sequence
     ) as is_taken
   from events e
   where e.organization_id = $1 and e.environment = $2 and e.sequence > $4
   order by e.sequence limit $5`,
);

export interface PendingRow {
  sequence: number;
  previous_sequence: number | null;
  attempts: number;
  created_at: Date;
  next_attempt_at: Date;
  event_id: string;
  type: string;
  /** Null: the event is no longer kept. */
  event: (Omit<EventRow, 'created_at'> & { created_at: string }) | null;
}

/** Pending deliveries in the order of their events; only those that are due, unless `dueBy` is null. */
export const selectPending = statement<[...EndpointKey, dueBy: Date | null, limit: number], PendingRow>(
  'webhook_deliveries.select_pending',
  `select d.sequence, d.previous_sequence, d.attempts, d.created_at, d.next_attempt_at, d.event_id, d.type, (
     select to_jsonb(e) from events e
     where e.organization_id = $1 and e.environment = $2 and e.sequence = d.sequence and e.event_id = d.event_id
   ) as event
   from webhook_deliveries d
   where d.organization_id = $1 and d.environment = $2 and d.endpoint_id = $3 and d.state = 'pending'
     and ($4::timestamptz is null or d.next_attempt_at <= $4)
   order by d.sequence limit $5`,
);

/**
 * Finds since when the oldest push is due, of endpoints that accept; null if none is.
 *
 * @param limit endpoints that are looked at
 */
export const selectOldestPush = statementOnEachShard<[now: Date, limit: number], { due_at: Date | null }>(
  'webhook_endpoints.select_oldest_push',
  'metrics measure the work of every organization',
  `select min(due_at) as due_at
   from (
     select least(
       pending.next_at,
       case when not e.is_ordered or pending.next_at is null then (
         select v.created_at from events v
         where v.organization_id = e.organization_id and v.environment = e.environment
           and v.sequence > e.cursor_sequence
         order by v.sequence limit 1
       ) end
     ) as due_at
     from (
       select organization_id, environment, endpoint_id, is_ordered, cursor_sequence from webhook_endpoints
       where disabled_at is null and probe_at is null and (paused_until is null or paused_until <= $1) limit $2
     ) e
     cross join lateral (${NEXT_PENDING}) pending
   ) due
   where due_at <= $1`,
);

/** Changes nothing if another process has taken the endpoint over. */
export const shortenLease = statement<[...EndpointKey, leaseId: string, leasedUntil: Date]>(
  'webhook_endpoints.shorten_lease',
  `update webhook_endpoints set leased_until = least(leased_until, $5)
   where organization_id = $1 and environment = $2 and endpoint_id = $3 and lease_id = $4`,
);

interface EndpointProgress {
  cursor_sequence: number;
  last_matched: number | null;
  failing_since: Date | null;
  failures: number;
  probe_at: Date | null;
  paused_until: Date | null;
  is_gone: boolean;
  leased_until: Date;
  now: Date;
}

export interface PushResult {
  sequence: number;
  event_id: string;
  type: string;
  previous_sequence: number | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  attempted_at: Date;
  duration_ms: number;
  status: number | null;
  error: string | null;
  body: string | null;
}

/**
 * Writes attempts and the progress of the endpoint. A process that lost its lease writes its attempts only. Returns no row
 * then.
 */
export const writeResults = statement<
  [...EndpointKey, leaseId: string, results: string, progress: string],
  { endpoint_id: string }
>(
  'webhook_endpoints.write_results',
  `with result as materialized (
     select r.* from json_to_recordset($5) as r (sequence bigint, event_id uuid, type text, previous_sequence bigint,
       state text, attempts smallint, next_attempt_at timestamptz, created_at timestamptz, attempted_at timestamptz,
       duration_ms integer, status smallint, error text, body text)
     where exists (
       select from webhook_endpoints e where e.organization_id = $1 and e.environment = $2 and e.endpoint_id = $3
     )
   ), delivery as (
     insert into webhook_deliveries (organization_id, environment, endpoint_id, sequence, event_id, type,
       previous_sequence, state, attempts, next_attempt_at, created_at, updated_at)
     select $1, $2, $3, sequence, event_id, type, previous_sequence, state, attempts, next_attempt_at, created_at,
       attempted_at
     from result order by sequence
     on conflict (organization_id, environment, endpoint_id, sequence) do update set
       state = excluded.state, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
       updated_at = excluded.updated_at
     -- Another process may have delivered it since this one took it.
     where webhook_deliveries.state <> 'delivered' or excluded.state = 'delivered'
   ), attempt as (
     insert into webhook_attempts (organization_id, environment, endpoint_id, sequence, attempted_at, duration_ms, status,
       error, body)
     select $1, $2, $3, sequence, attempted_at, duration_ms, status, error, body from result
   )
   update webhook_endpoints e set cursor_sequence = p.cursor_sequence, last_matched = p.last_matched,
     failing_since = p.failing_since, failures = p.failures, probe_at = p.probe_at, paused_until = p.paused_until,
     leased_until = p.leased_until,
     notices = case when p.failing_since is null then 0 else e.notices end,
     disabled_at = case when p.is_gone then p.now end, disabled_reason = case when p.is_gone then 'gone' end
   from json_to_record($6) as p (cursor_sequence bigint, last_matched bigint, failing_since timestamptz, failures integer,
     probe_at timestamptz, paused_until timestamptz, is_gone boolean, leased_until timestamptz, now timestamptz)
   where e.organization_id = $1 and e.environment = $2 and e.endpoint_id = $3 and e.lease_id = $4
     and e.disabled_at is null
   returning e.endpoint_id`,
);

export const progressText = (progress: EndpointProgress): string => JSON.stringify(progress);

/** Makes deliveries pending again that were given up since a time. */
export const requeueFailed = statement<[...EndpointKey, since: Date, now: Date]>(
  'webhook_deliveries.requeue_failed',
  `update webhook_deliveries set state = 'pending', attempts = 0, next_attempt_at = $5
   where organization_id = $1 and environment = $2 and endpoint_id = $3 and state = 'failed' and updated_at >= $4`,
);
