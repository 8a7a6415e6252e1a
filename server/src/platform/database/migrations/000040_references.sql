-- The caller's own name and data of an order or gift. Null for those that have neither, so that they cost nothing.
alter table orders add column external_id text, add column metadata jsonb;
alter table gifts add column external_id text, add column metadata jsonb;
alter table orders alter column external_id set statistics 10, alter column metadata set statistics 10;  -- see 000013
alter table gifts alter column external_id set statistics 10, alter column metadata set statistics 10;  -- see 000013
