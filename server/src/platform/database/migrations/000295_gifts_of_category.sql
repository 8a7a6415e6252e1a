-- Gifts of one category, newest first.
drop index concurrently if exists gifts_of_category;
create index concurrently gifts_of_category on gifts (organization_id, environment, category_id, gift_id);
