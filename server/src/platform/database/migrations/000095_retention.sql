-- When gifts were last looked at whose names and addresses may be kept no longer (RETENTION_DAYS).
create table retention_progress (
  is_only boolean primary key default true check (is_only),
  finished_at timestamptz not null
);
