-- A gift by its card. An issued card has its gift's id, so that the index holds only cards that the sandbox made.
drop index concurrently if exists gifts_other_card;
create index concurrently gifts_other_card on gifts (card_id) where card_id <> gift_id;
