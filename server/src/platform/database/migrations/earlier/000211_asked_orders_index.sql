-- One token of a preview makes one request. What a build that was interrupted has left is dropped.
drop index concurrently if exists gift_requests_of_agents;
create unique index concurrently gift_requests_of_agents on gift_requests (organization_id, environment, order_key)
  where grant_id is not null;
