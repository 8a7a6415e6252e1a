-- Whether an order of a member waits for an approval.
drop index concurrently if exists gift_requests_by_order_key;
create unique index concurrently gift_requests_by_order_key on gift_requests (organization_id, environment, order_key);
