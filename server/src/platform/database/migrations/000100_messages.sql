-- What the sender writes to the recipient. Null for gifts without it, so that it costs them nothing.
alter table gifts add column message text;
alter table gifts alter column message set statistics 10;  -- see 000013
