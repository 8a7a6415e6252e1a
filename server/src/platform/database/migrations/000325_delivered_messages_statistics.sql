-- The sample of a table is as large as its largest target: messages are analyzed as before the index.
alter index deliveries_delivered alter column 3 set statistics 10;
