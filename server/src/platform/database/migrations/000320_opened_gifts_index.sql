-- What was opened in a time.
drop index concurrently if exists gifts_opened;
create index concurrently gifts_opened on gifts (organization_id, environment, opened_at) where opened_at is not null;
