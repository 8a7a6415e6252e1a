-- The recipient's note to the sender. An erasure of the recipient deletes the text; the time stays, so that there is one note.
alter table gifts add column thanks text check (char_length(thanks) <= 280), add column thanked_at timestamptz;
alter table gifts alter column thanks set statistics 10, alter column thanked_at set statistics 10;
