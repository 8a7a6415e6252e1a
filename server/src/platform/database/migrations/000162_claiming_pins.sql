-- The PIN that was entered with a claim, while its issuer is asked; the claim moves it to card_proofs.
alter table cards add column pin bytea;
alter table cards alter column pin set statistics 10;  -- see 000013
