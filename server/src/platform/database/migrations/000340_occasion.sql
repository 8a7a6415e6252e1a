-- What a gift is for, in the sender's words.
alter table gifts add column occasion text;
