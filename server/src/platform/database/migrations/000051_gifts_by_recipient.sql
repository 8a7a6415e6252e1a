-- Gifts to one address, newest first. What a build that was interrupted has left is dropped.
drop index concurrently if exists gifts_by_recipient;
create index concurrently gifts_by_recipient on gifts (organization_id, environment, lower(address), gift_id)
  where address is not null;
