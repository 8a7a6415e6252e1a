import { statement } from '../database/statement.ts';

export interface ServerRow {
  version: string;
  now: Date;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  max_connections: number;
  is_read_only: boolean;
}

export const selectServer = statement<[], ServerRow>(
  'doctor.select_server',
  `select current_setting('server_version') as version, clock_timestamp() as now, current_setting('fsync') as fsync,
     current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
     current_setting('max_connections')::integer as max_connections,
     current_setting('transaction_read_only')::boolean as is_read_only`,
);

/** Null for an empty table. */
export const selectMigrations = statement<[], { names: string[] | null }>(
  'doctor.select_migrations',
  'select array_agg(name order by name) as names from schema_migrations',
);

export const selectHasMigrations = statement<[], { has_migrations: boolean }>(
  'doctor.select_has_migrations',
  `select to_regclass('schema_migrations') is not null as has_migrations`,
);

interface StuckRow {
  /** Idle jobs due before the given time, except in the given queues. */
  jobs: number;
  /** Orders that should have completed before the given time. */
  orders: number;
  /** Live messages with failed attempts. */
  messages: number;
}

export const countStuck = statement<[dueBefore: Date, limit: number, withoutQueues: string[]], StuckRow>(
  'doctor.count_stuck',
  `select
     (select count(*) from (
       select from pgboss.job where state < 'active' and start_after < $1 and name <> all($3) limit $2) j) as jobs,
     (select count(*) from (
       select from orders where completes_at < $1 limit $2) o) as orders,
     (select count(*) from (
       select from deliveries where state = 'pending' and environment = 'live' and tries > 0 limit $2) d) as messages`,
);
