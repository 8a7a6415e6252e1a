-- What the recipient chose for a gift of the category `any`. Null for all others, so that it costs them nothing.
alter table gifts add column chosen_category_id text references categories;
alter table gifts alter column chosen_category_id set statistics 10;  -- see 000013
