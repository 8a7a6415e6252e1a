-- When the recipient's address was erased. A gift that fails by it has no failed message.
alter table gifts add column erased_at timestamptz, alter column erased_at set statistics 10;  -- see 000013
