/** Insert that sets the counters of events. @param source query of `organization_id`, `environment` and the last sequence */
export const setEventCounters = (source: string) =>
  `insert into event_counters (organization_id, environment, last_sequence)
     ${source}
     on conflict (organization_id, environment) do update set last_sequence = excluded.last_sequence`;

/**
 * Insert that notes restores of the database, from which the feeds of their environments go on.
 *
 * @param source query of the columns in this order
 */
export const insertRestores = (source: string) =>
  `insert into restores (organization_id, environment, restored_to, finished_at, last_sequence, next_after, ledger_rows,
       ledger_id)
     ${source}`;
