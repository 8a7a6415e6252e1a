-- The masked answer of a logged request, for seven days as the rest of the row. Null for errors, whose code, message and
-- field are stored, and for long or other answers.
alter table request_log add column answer text, add column answer_bytes integer;
