-- Gifts of one category, shown status and method, newest first. What a build that was interrupted has left is dropped.
drop index concurrently if exists gifts_by_category;
create index concurrently gifts_by_category on gifts (organization_id, environment, category_id,
  (case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end), method, gift_id);
