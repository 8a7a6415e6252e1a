-- Mails with codes for cards are deleted after a day.
drop index concurrently if exists notices_card_codes;
create index concurrently notices_card_codes on notices (created_at) where kind = 'card_code';
