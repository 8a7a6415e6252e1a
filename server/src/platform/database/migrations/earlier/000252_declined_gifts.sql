-- When the recipient said that they do not want the gift. It can still be claimed.
alter table gifts add column declined_at timestamptz;
alter table gifts alter column declined_at set statistics 10;  -- see 000013
