-- What arrived in a time.
drop index concurrently if exists deliveries_delivered;
create index concurrently deliveries_delivered on deliveries (organization_id, environment, coalesce(settled_at, created_at))
  where state = 'delivered';
