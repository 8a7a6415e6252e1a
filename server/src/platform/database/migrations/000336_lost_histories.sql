-- Failovers that lost commits, and servers that went back, as the service noticed them: docs/backup.md. `begins_at` is where
-- the log goes on without what was lost, in bytes.
create table lost_histories (
  system text not null,
  timeline integer not null,
  begins_at double precision not null,
  kept_until timestamptz not null,
  noticed_at timestamptz not null,
  moved_on_at timestamptz,            -- organizations, by the service
  events_since integer,               -- made between `kept_until` and that
  finished_at timestamptz,            -- the rest, by `bestow restore finish`
  primary key (system, timeline, begins_at)
);
