-- Gifts of one shown status (the expression of search-queries.ts) and method, newest first. Without those that most orders
-- place, so that the index costs most orders nothing. What a build that was interrupted has left is dropped.
drop index concurrently if exists gifts_by_status;
create index concurrently gifts_by_status on gifts (organization_id, environment,
  (case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end), method, gift_id)
  where case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end <> 'sent' or method <> 'email';
