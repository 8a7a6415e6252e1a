import { statement, statementOnEachShard } from '../database/statement.ts';
import { appendEvents } from './append-events.ts';

export const appendReset = statement<[organizationId: string, now: Date], { last_sequence: number }>(
  'events.append_reset',
  `with ${appendEvents(`select $1::uuid as organization_id, 'sandbox'::environment as environment,
       'sandbox.reset' as type, null::uuid as order_id, null::uuid as gift_id, null::jsonb as data,
       $2::timestamptz as created_at, 0 as position
     from organizations where organization_id = $1`)}
   select last_sequence from event_counter where organization_id = $1`,
);

/** Waits for a run of `deleteOldEvents`, which then skips this sandbox: two deletions could deadlock. */
export const deleteSandboxEvents = statement<[organizationId: string, before: number]>(
  'events.delete_of_sandbox',
  `with counter as materialized (
     select from event_counters where organization_id = $1 and environment = 'sandbox' for update
   )
   delete from events
   where organization_id = $1 and environment = 'sandbox' and sequence < $2 and exists (select from counter)`,
);

const RETENTION_LOCK = 7_023_001;

/**
 * Deletes the beginning of each stream, up to its first event since the time, at most `slice` events of each. Returns the
 * streams that may have more. One run at a time; orders do not wait, because a key share lock lets the counter rise.
 */
export const deleteOldEvents = statementOnEachShard<[before: Date, slice: number], { organization_id: string }>(
  'events.delete_old',
  'every minute looks at the first event of every stream',
  `with counter as materialized (
     select organization_id, environment from event_counters
     where (select pg_try_advisory_xact_lock(${RETENTION_LOCK}))
     for key share skip locked
   ), slice as materialized (
     select c.organization_id, c.environment, e.sequence,
       bool_and(e.created_at < $1) over (partition by c.organization_id, c.environment order by e.sequence) as is_old
     from counter c
     cross join lateral (
       select sequence, created_at from events
       where organization_id = c.organization_id and environment = c.environment order by sequence limit 1
     ) first
     cross join lateral (
       select sequence, created_at from events
       where organization_id = c.organization_id and environment = c.environment and first.created_at < $1
         and sequence < first.sequence + $2::bigint
     ) e
   ), deleted as (
     delete from events e using slice s
     where s.is_old and e.organization_id = s.organization_id and e.environment = s.environment
       and e.sequence = s.sequence
     returning e.organization_id, e.environment
   )
   select organization_id from deleted group by organization_id, environment having count(*) = $2::bigint`,
);
