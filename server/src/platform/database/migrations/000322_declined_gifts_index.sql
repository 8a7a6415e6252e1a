-- What recipients do not want.
drop index concurrently if exists gifts_declined;
create index concurrently gifts_declined on gifts (organization_id, environment, gift_id) where declined_at is not null;
