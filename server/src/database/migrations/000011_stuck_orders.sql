-- Orders that are still processing, for the metrics: a handful among millions.
create index orders_processing on orders (completes_at) where completes_at is not null;
