-- Finds the seal of a leaf, and the seal of an entry. What a build that was interrupted has left is dropped.
drop index concurrently if exists seals_rows;
create unique index concurrently seals_rows on seals (organization_id, chain, rows);
drop index concurrently if exists seals_last_id;
create index concurrently seals_last_id on seals (organization_id, chain, last_id);
