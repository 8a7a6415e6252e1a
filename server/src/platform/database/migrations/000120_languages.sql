-- The language of a gift's page and messages, and the organization's for gifts without one. Null: no wish.
alter table gifts add column language text;
alter table gifts alter column language set statistics 10;  -- see 000013
alter table organizations add column language text;
