/**
 * CTEs that append events in the statement and commit of the facts. Nothing that locks a row may follow in the same
 * transaction: the counter's row is locked until the commit, and its holder must wait for nothing else.
 *
 * @param source query of `organization_id`, `environment`, `type text`, `order_id uuid`, `gift_id uuid`, `data jsonb` (the
 *   last three may be null), `created_at timestamptz` and `position` (the order of events of one organization)
 * @param after the statement's other CTEs that lock rows, with `returning`: PostgreSQL runs the last CTE first
 */
export const appendEvents = (source: string, after: readonly string[] = []) =>
  `fact as materialized (
     ${source}
   ), event_counter as (
     insert into event_counters (organization_id, environment, last_sequence)
     select organization_id, environment, count(*) from fact
     where ${['true', ...after.map((name) => `(select count(*) from ${name}) >= 0`)].join(' and ')}
     group by organization_id, environment order by organization_id, environment
     on conflict (organization_id, environment) do update set
       last_sequence = event_counters.last_sequence + excluded.last_sequence
     returning organization_id, environment, last_sequence
   ), event as (
     insert into events (organization_id, environment, sequence, type, order_id, gift_id, data, created_at)
     select organization_id, environment, c.last_sequence + 1
         - row_number() over (partition by organization_id, environment order by f.position desc),
       f.type, f.order_id, f.gift_id, f.data, f.created_at
     from fact f join event_counter c using (organization_id, environment)
   )`;
