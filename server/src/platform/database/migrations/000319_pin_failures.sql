-- Wrong PINs ever since the PIN was set; from the twentieth on it proves nothing.
alter table card_proofs add column pin_failures smallint not null default 0;
