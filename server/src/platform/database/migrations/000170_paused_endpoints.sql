-- Until when the receiver asked for no pushes (Retry-After).
alter table webhook_endpoints add column paused_until timestamptz;
