-- Publishes one database for several shards: psql "$OLD" -v shards=4 -f deploy/shards/publish.sql
-- Each publication, bestow_0 and so on, has the organizations of one shard, as the service finds them, and what all shards have.
\set ON_ERROR_STOP on
begin;
-- Empty. satisfies_hash_partition reads the type of the key from it.
create table shard_key (organization_id uuid) partition by hash (organization_id);

select format('create publication bestow_%s for table %s', shard, string_agg(published, ', '))
from generate_series(0, :shards - 1) as shard,
  lateral (
    select format('%s where (satisfies_hash_partition(''shard_key''::regclass, %s, %s, organization_id))', oid::regclass, :shards, shard)
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'earlier_keys'
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped)
    union all values ('categories'), ('earlier_keys'), ('installation'), ('pgboss.job_common')
    -- People are on the first shard.
    union all select oid::regclass::text from pg_class where relnamespace = 'portal'::regnamespace and relkind = 'r' and shard = 0
  ) as tables (published)
group by shard
\gexec
commit;
