-- Where the holder of a link gift is sent the code that shows the card to another browser; null: nowhere.
alter table card_proofs add column holder_address text;
-- The same while the card's issuer is asked; the claim moves it to card_proofs.
alter table cards add column holder_address text;
alter table cards alter column holder_address set statistics 10;  -- see 000013
