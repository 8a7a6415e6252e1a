-- Checks the earlier rows while the service goes on writing.
alter table gifts validate constraint gifts_waiting_check;
