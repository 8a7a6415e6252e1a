-- Gifts that have metadata, newest first: a search reads only those. What a build that was interrupted has left is dropped.
drop index concurrently if exists gifts_metadata;
create index concurrently gifts_metadata on gifts (organization_id, environment, gift_id) where metadata is not null;
