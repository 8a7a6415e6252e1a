-- Members order in the portal, without an API key. The order is attributed to them.
alter table orders alter column key_id drop not null;
