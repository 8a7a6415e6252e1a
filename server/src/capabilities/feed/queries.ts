import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { EventType } from '../../platform/events/event-types.ts';

export interface EventRow {
  event_id: string;
  type: EventType;
  sequence: number;
  order_id: string | null;
  gift_id: string | null;
  data: Record<string, unknown> | null;
  created_at: Date;
}

interface Head {
  /** The first event that is still held; behind the last if none is. */
  first_sequence: number;
  /** The last event of all; 0 before the first. */
  last_sequence: number;
  /** When the database was restored to: by the first restore whose new place is after this one; null without such a restore. */
  restored_to: Date | null;
  /** By the same restore: the last event before it, and the place after which the feed goes on. */
  ended_at: number | null;
  next_after: number | null;
}

/** A row repeats the caller and the ends of the stream; without an event if nothing was found. */
export type FeedRow = CallerRow & Head & (EventRow | { event_id: null });

/** Sequences that one page looks at, so that rare types cost no more than frequent ones. */
export const SCANNED_SEQUENCES = 10_000;

/** Of an agent that reaches only what it ordered: whether it ordered, or asked for, what the event is about. */
const isOfOwnOrder = `(caller.own_grant_id is null or exists (
         select from orders o
         where o.organization_id = $1 and o.environment = $2 and o.order_id = events.order_id
           and o.grant_id = caller.own_grant_id
       ) or exists (
         select from gift_requests r
         where r.organization_id = $1 and r.environment = $2 and r.request_id = (events.data ->> 'order_request_id')::uuid
           and r.grant_id = caller.own_grant_id
       ))`;

export const selectFeed = statement<
  [...CallerParameters, after: number, limit: number, types: string[] | null],
  FeedRow
>(
  'events.list',
  `with ${caller({ needs: 'events' })}, head as materialized (
     select ${callerColumns}, caller.own_grant_id, coalesce(c.last_sequence, 0) as last_sequence, coalesce((
         select e.sequence from events e
         where e.organization_id = $1 and e.environment = $2 order by e.sequence limit 1
       ), coalesce(c.last_sequence, 0) + 1) as first_sequence
     from caller left join event_counters c on c.organization_id = $1 and c.environment = $2
   )
   select ${callerColumns}, caller.first_sequence, caller.last_sequence, r.restored_to, r.last_sequence as ended_at,
     r.next_after, e.event_id, e.type, e.sequence, e.order_id,
     e.gift_id, e.data, e.created_at
   from head caller left join lateral (
     select restored_to, last_sequence, next_after from restores
     where organization_id = $1 and environment = $2 and next_after > $4 order by next_after limit 1
   ) r on true
   left join lateral (
     select * from events
     where organization_id = $1 and environment = $2 and sequence > $4 and sequence <= $4 + ${SCANNED_SEQUENCES}
       and ($6::text[] is null or type = any ($6)) and caller.caller_state = 'admitted'
       and ${isOfOwnOrder}
     order by sequence limit $5
   ) e on true
   order by e.sequence`,
);

export const selectLatestEvents = statement<
  [organizationId: string, environment: Environment, limit: number],
  EventRow
>(
  'events.list_latest',
  `select event_id, type, sequence, order_id, gift_id, data, created_at from events
   where organization_id = $1 and environment = $2 order by sequence desc limit $3`,
);

interface CounterRow {
  organization_id: string;
  environment: Environment;
  last_sequence: number;
}

export const selectCounters = statementOnEachShard<
  [organizationIds: readonly string[], environments: readonly Environment[]],
  CounterRow
>(
  'events.list_counters',
  'requests of many organizations wait for events; each shard finds its own',
  `select c.organization_id, c.environment, c.last_sequence
   from unnest($1::uuid[], $2::environment[]) as asked (organization_id, environment)
   join event_counters c using (organization_id, environment)`,
);
