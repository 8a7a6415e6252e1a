-- What was claimed in a time.
drop index concurrently if exists gifts_claimed;
create index concurrently gifts_claimed on gifts (organization_id, environment, claimed_at) where claimed_at is not null;
