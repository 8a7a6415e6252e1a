-- Until when another browser may take the card of a claimed gift over, once; null: none may.
alter table card_proofs add column reopened_until timestamptz;

alter type notice_kind add value if not exists 'card_reopened';
