-- The value of a canceled gift returns to the balance. A value of an enum can be used only after its commit.
alter type ledger_entry_kind add value 'refund';
alter type notice_kind add value 'gifts_expire';
