-- How far each process's clock is from this server's, written by the process each minute. `looked_at` is the server's time.
create table process_clocks (
  process text primary key,
  offset_ms bigint not null,
  looked_at timestamptz not null
);

-- The time up to which the work of each minute went by the clock: one row. A leap of more than two days waits for a person.
create table clock_work (
  is_only boolean primary key default true check (is_only),
  done_until timestamptz not null
);
