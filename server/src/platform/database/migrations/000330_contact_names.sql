-- A name as people search it. A column, because row security lets an index use no function that may tell its arguments.
alter table contacts add column sought_name text collate "C"
  generated always as (upper(normalize(name, NFC))) stored;
