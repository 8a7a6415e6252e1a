-- What arrived in a time.
drop index concurrently if exists deliveries_delivered;
create index concurrently deliveries_delivered on deliveries
  (organization_id, environment, (case when settled_at is null then created_at else settled_at end))
  where state = 'delivered';
