-- The pairs of what was ordered before the triggers. The lock makes an erasure wait, so that its trigger finds the pairs;
-- new orders go on.
insert into metadata_pairs (organization_id, environment, resource, pair, resource_id)
select g.organization_id, g.environment, 'gift', metadata_pair(key, value), g.gift_id
from gifts g cross join jsonb_each_text(g.metadata) where g.metadata is not null
for share of g
on conflict do nothing;
insert into metadata_pairs (organization_id, environment, resource, pair, resource_id)
select o.organization_id, o.environment, 'order', metadata_pair(key, value), o.order_id
from orders o cross join jsonb_each_text(o.metadata) where o.metadata is not null
for share of o
on conflict do nothing;
