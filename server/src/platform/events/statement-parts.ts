/** Insert that sets the counters of events. @param source query of `organization_id`, `environment` and the last sequence */
export const setEventCounters = (source: string) =>
  `insert into event_counters (organization_id, environment, last_sequence)
     ${source}
     on conflict (organization_id, environment) do update set last_sequence = excluded.last_sequence`;
