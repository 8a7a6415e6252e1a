-- Finds cards whose recipients are to be erased. What a build that was interrupted has left is dropped.
drop index concurrently if exists cards_erase_at;
create index concurrently cards_erase_at on cards (erase_at) where erase_at is not null;
