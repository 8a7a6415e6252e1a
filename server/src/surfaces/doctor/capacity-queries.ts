import { statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';

interface TableSizeRow {
  /** A table of the schema public, or the name of another schema for all of its tables. */
  name: string;
  /** With indexes and TOAST. */
  bytes: number;
  /** The same tables without rows: one page of each index. */
  empty_bytes: number;
  /** PostgreSQL's estimate; 0 before its first statistics. */
  estimated_rows: number;
}

export const selectTableSizes = statementOfNone<[], TableSizeRow>(
  'doctor.select_table_sizes',
  `select case n.nspname when 'public' then c.relname::text else n.nspname::text end as name,
     sum(pg_total_relation_size(c.oid))::bigint as bytes,
     sum(current_setting('block_size')::bigint * (
       select count(*) from pg_index i where i.indrelid in (c.oid, c.reltoastrelid)))::bigint as empty_bytes,
     sum(greatest(c.reltuples, 0))::bigint as estimated_rows
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and n.nspname in ('public', 'portal', 'pgboss')
   group by 1 order by 1`,
);

export const selectDatabaseSize = statementOfNone<[], { bytes: number }>(
  'doctor.select_database_size',
  'select pg_database_size(current_database()) as bytes',
);

/** Counts the orders in a part of the table's pages, by their age. */
export const countOrdersByAge = statementOnEachShard<
  [percent: number, now: Date],
  { age_days: number; orders: number }
>(
  'doctor.count_orders_by_age',
  'the operator’s doctor looks at the growth of the whole database',
  `select greatest(floor(extract(epoch from $2::timestamptz - created_at) / 86400), 0)::integer as age_days,
     count(*) as orders
   from public.orders tablesample system ($1)
   group by 1`,
);
