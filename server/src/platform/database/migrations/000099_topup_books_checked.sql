-- Checks the earlier rows while the service goes on writing.
alter table ledger_entries validate constraint ledger_entries_check;
