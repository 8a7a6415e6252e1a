-- Orders that are still processing, for the metrics: a handful among millions. Built while orders are placed; what a build
-- that was interrupted has left is of no use to anybody.
drop index concurrently if exists orders_processing;
create index concurrently orders_processing on orders (completes_at) where completes_at is not null;
