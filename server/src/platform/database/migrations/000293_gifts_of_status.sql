-- Gifts of one shown status (the expression of search-queries.ts), newest first. Without sent gifts, the most common, so that
-- the index costs an order nothing.
drop index concurrently if exists gifts_of_status;
create index concurrently gifts_of_status on gifts (organization_id, environment,
  (case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end), gift_id)
  where case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end <> 'sent';
