-- What a member sent.
drop index concurrently if exists orders_by_sender;
create index concurrently orders_by_sender on orders (organization_id, environment, sender_member_id, order_id)
  where sender_member_id is not null;
