-- Checks the earlier rows while the service goes on writing.
alter table gifts validate constraint gifts_cancellation;
alter table ledger_entries validate constraint ledger_entries_check;
alter table ledger_entries validate constraint ledger_entries_organization_id_environment_gift_id_fkey;
