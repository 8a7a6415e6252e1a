-- What recipients read instead of the name, by language; null or no such language: the name.
alter table categories add column names jsonb;
