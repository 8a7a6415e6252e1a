-- Live messages that wait, for the metrics: they are few, and counted without a look at all that were ever sent.

create index deliveries_pending on deliveries (channel) where environment = 'live' and state = 'pending';
