-- The /v1 requests of the last seven days, for an organization's developers. No foreign keys: each would lock a row
-- of another table for every row written here. Logged, as every table: an unlogged one is emptied by a crash or a
-- failover, which is just when people look into it. Old rows are deleted a few seconds of them at a time: at a
-- bounded number of rows a second that costs as little as writing them did, and partitions would have to be made and
-- dropped while the service runs.
create table request_log (
  organization_id uuid not null,
  environment environment not null,
  request_id uuid not null,
  created_at timestamptz not null,    -- when it began
  method text not null,
  path text not null,                 -- with its query; masked, as all that follows
  status smallint not null,
  error_code text,
  error_message text,
  error_param text,
  key_id uuid not null,
  client_address text,
  duration_ms real not null,
  body text,                          -- JSON; null: none was sent, or it was not JSON
  body_bytes integer,                 -- as sent; null: none, or its length was not announced
  -- The masked answer of a logged request, for seven days as the rest of the row. Null for errors, whose code,
  -- message and field are stored, and for long or other answers.
  answer text,
  answer_bytes integer,
  -- Of a message to /mcp: the tool that was called, and the program that its client says it is. The status is that of
  -- the tool's error, so that the log's filters find refused calls.
  tool text,
  client text,
  primary key (organization_id, environment, request_id)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  -- No plan depends on what is in it; analyzing it with every tenth that it grew took more time than writing it.
  autovacuum_analyze_scale_factor = 1,
  autovacuum_analyze_threshold = 10000
);

create index request_log_created_at on request_log (created_at);
-- Errors are what is looked for, and few.
create index request_log_failed on request_log (organization_id, environment, request_id) where status >= 400;

call protect_organizations('request_log');
