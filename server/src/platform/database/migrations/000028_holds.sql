-- Gifts on hold: no one can claim them, see their card or get a new link. The organization's hold covers every unclaimed
-- gift, also those that are ordered or completed while it lasts.
alter table gifts add column held_at timestamptz;
alter table gifts alter column held_at set statistics 10;  -- see 000013
alter table organizations add column gifts_held_at timestamptz;
