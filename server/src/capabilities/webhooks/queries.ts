import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

export interface EndpointRow {
  endpoint_id: string;
  url: string;
  description: string | null;
  types: string[] | null;
  is_ordered: boolean;
  created_at: Date;
  cursor_sequence: number;
  failing_since: Date | null;
  /** Until when the receiver asked for no pushes. */
  paused_until: Date | null;
  disabled_at: Date | null;
  disabled_reason: 'gone' | 'failing' | 'requested' | null;
  /** Until when the secret before the last rotation is used too. */
  previous_secret_until: Date | null;
  /** Until when the secrets before that one are, the newest first. */
  earlier_secrets_until: Date[];
}

/** Encrypted. */
export interface EndpointSecrets {
  secret: string;
  previous_secret: string | null;
  previous_secret_until: Date | null;
  earlier_secrets: string[];
  earlier_secrets_until: Date[];
}

/** Never without `requireAdmitted`. */
type FoundEndpoint = CallerRow & EndpointRow & EndpointSecrets;

const columns = `endpoint_id, url, description, types, is_ordered, created_at, cursor_sequence, failing_since, paused_until, disabled_at,
  disabled_reason, previous_secret_until, earlier_secrets_until`;
const ofEndpoint = `secret, previous_secret, earlier_secrets, ${columns}`.replace(/\w+/g, 'e.$&');

export const selectCaller = statement<CallerParameters, CallerRow>(
  'webhook_endpoints.select_caller',
  `with ${caller()} select ${callerColumns} from caller`,
);

/** One row without an endpoint shows the caller. */
export const selectEndpoints = statement<CallerParameters, FoundEndpoint>(
  'webhook_endpoints.list',
  `with ${caller()}
   select ${callerColumns}, ${ofEndpoint}
   from caller left join webhook_endpoints e on e.organization_id = $1 and e.environment = $2
     and caller.caller_state = 'admitted'
   order by e.endpoint_id`,
);

export const selectEndpoint = statement<[...CallerParameters, endpointId: string], FoundEndpoint>(
  'webhook_endpoints.select',
  `with ${caller()}
   select ${callerColumns}, ${ofEndpoint}
   from caller left join webhook_endpoints e on e.organization_id = $1 and e.environment = $2 and e.endpoint_id = $4
     and caller.caller_state = 'admitted'`,
);

type EndpointKey = [organizationId: string, environment: Environment, endpointId: string];

/** Begins after the last event. Returns no row if the environment has its most endpoints. */
export const insertEndpoint = statement<
  [
    ...EndpointKey,
    url: string,
    description: string | null,
    types: readonly string[] | null,
    isOrdered: boolean,
    secret: string,
    createdAt: Date,
    mostEndpoints: number,
  ],
  EndpointRow
>(
  'webhook_endpoints.insert',
  `insert into webhook_endpoints (organization_id, environment, endpoint_id, url, description, types, is_ordered, secret,
     created_at, cursor_sequence)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce((
     select last_sequence from event_counters where organization_id = $1 and environment = $2
   ), 0)
   where (select count(*) from webhook_endpoints where organization_id = $1 and environment = $2) < $10
   returning ${columns}`,
);

/**
 * Ends the lease, so that the next push is as the change says. An ordered endpoint waits until its push under way has ended.
 *
 * @param pushEnds expression
 * @param isOrdered condition
 */
const endLease = (pushEnds: string, isOrdered = 'is_ordered') =>
  `lease_id = null,
     leased_until = case when leased_until is not null and (${isOrdered}) then least(leased_until, ${pushEnds}) end`;

export const updateEndpoint = statement<
  [
    ...EndpointKey,
    url: string,
    description: string | null,
    types: readonly string[] | null,
    isOrdered: boolean,
    pushEnds: Date,
  ],
  EndpointRow
>(
  'webhook_endpoints.update',
  `update webhook_endpoints set url = $4, description = $5, types = $6, is_ordered = $7, paused_until = null,
     ${endLease('$8', 'is_ordered or $7')}
   where organization_id = $1 and environment = $2 and endpoint_id = $3
   returning ${columns}`,
);

export const deleteEndpoint = statement<EndpointKey, EndpointRow>(
  'webhook_endpoints.delete',
  `with deliveries as (
     delete from webhook_deliveries where organization_id = $1 and environment = $2 and endpoint_id = $3
   ), attempts as (
     delete from webhook_attempts where organization_id = $1 and environment = $2 and endpoint_id = $3
   )
   delete from webhook_endpoints where organization_id = $1 and environment = $2 and endpoint_id = $3
   returning ${columns}`,
);

/** Of the secrets that are not the newest one, those that sign at `$7`. */
const signing =
  'unnest(previous_secret || earlier_secrets, previous_secret_until || earlier_secrets_until) s (secret, until) where s.until > $7::timestamptz';

/**
 * Keeps the earlier secrets whose time has not come, unless the overlap ends now. Returns no row if one more would sign than
 * allowed.
 */
export const rotateSecret = statement<
  [...EndpointKey, secret: string, previousUntil: Date, pushEnds: Date, now: Date, mostEarlier: number],
  EndpointRow
>(
  'webhook_endpoints.rotate',
  `update webhook_endpoints set secret = $4, previous_secret = secret, previous_secret_until = $5,
     (earlier_secrets, earlier_secrets_until) = (
       select coalesce(array_agg(s.secret), '{}'), coalesce(array_agg(s.until), '{}') from ${signing} and $5::timestamptz > $7
     ), ${endLease('$6')}
   where organization_id = $1 and environment = $2 and endpoint_id = $3
     and ($5::timestamptz <= $7::timestamptz or (select count(*) from ${signing}) < $8)
   returning ${columns}`,
);

/** Pushes nothing more, except a push under way. An endpoint that is off keeps its reason. */
export const disableEndpoint = statement<[...EndpointKey, now: Date, pushEnds: Date], EndpointRow>(
  'webhook_endpoints.disable',
  `update webhook_endpoints set disabled_at = coalesce(disabled_at, $4),
     disabled_reason = coalesce(disabled_reason, 'requested'), ${endLease('$5')}
   where organization_id = $1 and environment = $2 and endpoint_id = $3
   returning ${columns}`,
);

/**
 * Continues from the cursor, or after `$4`. What was pending is due now, and so is what was given up while the endpoint
 * failed.
 */
export const enableEndpoint = statement<
  [...EndpointKey, cursor: number | null, now: Date, pushEnds: Date],
  EndpointRow
>(
  'webhook_endpoints.enable',
  `with requeued as (
     update webhook_deliveries d set state = 'pending', attempts = 0, next_attempt_at = $5
     from webhook_endpoints e
     where d.organization_id = $1 and d.environment = $2 and d.endpoint_id = $3 and $4::bigint is null
       and e.organization_id = $1 and e.environment = $2 and e.endpoint_id = $3
       and (d.state = 'pending' or d.state = 'failed' and d.updated_at >= e.failing_since)
   ), begun_again as (
     delete from webhook_deliveries
     where organization_id = $1 and environment = $2 and endpoint_id = $3 and sequence > $4
   ), skipped as (
     update webhook_deliveries set state = 'failed', next_attempt_at = null, updated_at = $5
     where organization_id = $1 and environment = $2 and endpoint_id = $3 and sequence <= $4 and state = 'pending'
   )
   update webhook_endpoints set disabled_at = null, disabled_reason = null, failing_since = null, failures = 0,
     probe_at = null, paused_until = null, notices = 0, ${endLease('$6')},
     cursor_sequence = coalesce($4, cursor_sequence), last_matched = case when $4 is null then last_matched end
   where organization_id = $1 and environment = $2 and endpoint_id = $3
   returning ${columns}`,
);

/**
 * Returns no row before the first event. The first sequence held is behind the last if no event is held. `undone`: the
 * sequences, this one among them, that a restore of the database ended.
 */
export const selectSequences = statement<
  [organizationId: string, environment: Environment, fromSequence: number],
  { first_sequence: number; last_sequence: number; undone: { from: number; to: number } | null }
>(
  'webhook_endpoints.select_sequences',
  `select last_sequence, coalesce((
     select sequence from events where organization_id = $1 and environment = $2 order by sequence limit 1
   ), last_sequence + 1) as first_sequence, (
     select jsonb_build_object('from', last_sequence + 1, 'to', next_after) from restores
     where organization_id = $1 and environment = $2 and last_sequence + 1 < $3 and next_after >= $3
     order by next_after limit 1
   ) as undone
   from event_counters where organization_id = $1 and environment = $2`,
);

export const selectEndpointOwner = statementOnEachShard<
  [endpointId: string],
  { organization_id: string; environment: Environment }
>(
  'webhook_endpoints.select_owner',
  'the operator gives only the endpoint’s id',
  'select organization_id, environment from webhook_endpoints where endpoint_id = $1',
);
