-- What an agent ordered. Built while orders are placed. What a build that was interrupted has left is dropped.
drop index concurrently if exists orders_by_grant;
create index concurrently orders_by_grant on orders (organization_id, environment, grant_id, order_id)
  where grant_id is not null;
drop index concurrently if exists gifts_by_grant;
create index concurrently gifts_by_grant on gifts (organization_id, environment, grant_id, gift_id)
  where grant_id is not null;
