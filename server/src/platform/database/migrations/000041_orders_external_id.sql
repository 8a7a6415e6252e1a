-- One order of an organization and environment has an external id. What a build that was interrupted has left is dropped.
drop index concurrently if exists orders_external_id;
create unique index concurrently orders_external_id on orders (organization_id, environment, external_id)
  where external_id is not null;
