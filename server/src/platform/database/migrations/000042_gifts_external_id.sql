-- Gifts by the caller's name of them, newest first. What a build that was interrupted has left is dropped.
drop index concurrently if exists gifts_external_id;
create index concurrently gifts_external_id on gifts (organization_id, environment, external_id, gift_id)
  where external_id is not null;
