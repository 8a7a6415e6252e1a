-- Mails with codes for cards are deleted after a day.
drop index concurrently if exists notices_reopened_cards;
create index concurrently notices_reopened_cards on notices (created_at) where kind = 'card_reopened';
