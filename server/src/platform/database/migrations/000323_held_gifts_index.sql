-- What is on hold by itself.
drop index concurrently if exists gifts_held;
create index concurrently gifts_held on gifts (organization_id, environment, gift_id) where held_at is not null;
