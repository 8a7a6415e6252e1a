-- Link gifts by the address that their holder entered: of the finder, exports and erasures.
drop index concurrently if exists card_proofs_by_holder;
create index concurrently card_proofs_by_holder on card_proofs
  (organization_id, environment, lower(holder_address collate "C")) where holder_address is not null;
