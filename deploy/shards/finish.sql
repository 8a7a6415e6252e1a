-- Ends the copy to one shard: psql "$SHARD" -v shards=4 -v shard=0 -f deploy/shards/finish.sql
-- Run it when the old database is read-only and the shard has all of it, before a worker starts.
\set ON_ERROR_STOP on
\set subscription bestow_:shard
drop subscription :"subscription";
-- A publication cannot select jobs by their organization.
create temporary table shard_key (organization_id uuid) partition by hash (organization_id);
delete from pgboss.job
where not satisfies_hash_partition('shard_key'::regclass, :shards, :shard, (data ->> 'organizationId')::uuid);
-- The start of the service checks it.
update installation set value = array[value[1], (:shard + 1)::text, (:shards)::text] where name = 'shard';
