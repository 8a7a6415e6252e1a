-- Gifts of one method, newest first. Without emails, the most common, so that the index costs most orders nothing.
drop index concurrently if exists gifts_of_method;
create index concurrently gifts_of_method on gifts (organization_id, environment, method, gift_id) where method <> 'email';
