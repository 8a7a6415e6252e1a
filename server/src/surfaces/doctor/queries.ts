import { statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';

export interface ServerRow {
  version: string;
  now: Date;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  max_connections: number;
  is_read_only: boolean;
  role: string;
  encoding: string;
}

/** Returns the session's own values, which a pooler may have dropped. */
export const selectSessionSettings = statementOfNone<[names: readonly string[]], { name: string; value: string }>(
  'doctor.select_session_settings',
  `select name, current_setting(name) as value from unnest($1::text[]) as asked (name)`,
);

export const selectServer = statementOfNone<[], ServerRow>(
  'doctor.select_server',
  `select current_setting('server_version') as version, clock_timestamp() as now, current_setting('fsync') as fsync,
     current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
     current_setting('max_connections')::integer as max_connections,
     current_setting('transaction_read_only')::boolean as is_read_only, current_user::text as role,
     current_setting('server_encoding') as encoding`,
);

/** Null for an empty table. */
export const selectMigrations = statementOfNone<[], { names: string[] | null }>(
  'doctor.select_migrations',
  'select array_agg(name order by name) as names from schema_migrations',
);

export const selectHasMigrations = statementOfNone<[], { has_migrations: boolean }>(
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

export const countStuck = statementOnEachShard<[dueBefore: Date, limit: number, withoutQueues: string[]], StuckRow>(
  'doctor.count_stuck',
  'the operator’s doctor looks at the work of every organization',
  `select
     (select count(*) from (
       select from pgboss.job where state < 'active' and start_after < $1 and name <> all($3) limit $2) j) as jobs,
     (select count(*) from (
       select from orders where completes_at < $1 limit $2) o) as orders,
     (select count(*) from (
       select from deliveries where state = 'pending' and environment = 'live' and tries > 0 limit $2) d) as messages`,
);

/** Finds live messages that the provider refuses because of the account, and whether it accepts others. */
export const selectRefusals = statementOnEachShard<
  [pattern: string, since: Date, limit: number],
  { channel: 'email' | 'phone'; reason: string; accepts: boolean }
>(
  'doctor.select_refusals',
  'the operator’s doctor looks at the work of every organization',
  `select r.channel, max(r.reason) as reason, exists (
       select from deliveries d where d.environment = 'live' and d.channel = r.channel and d.sent_at >= $2) as accepts
   from (
     select channel, reason from deliveries
     where state = 'pending' and environment = 'live' and tries > 0 and reason ~ $1 limit $3) r
   group by r.channel`,
);

/** Finds keys that the first start made, and that work. */
export const countDemoKeys = statementOnEachShard<[], { keys: number }>(
  'doctor.count_demo_keys',
  'the demo is one organization of the database',
  `select count(*)::integer as keys from api_keys
   where name in ('Demo live key', 'Demo sandbox key') and revoked_at is null`,
);

/** Sums up the tables that are the same on every shard. */
export const selectShared = statementOnEachShard<[], { content: string }>(
  'doctor.select_shared',
  'compares the shards',
  `select (select count(*) || ' ' || coalesce(sum(hashtextextended(c::text, 0)), 0) from categories c) || ', '
     || (select count(*) || ' ' || coalesce(sum(hashtextextended(k::text, 0)), 0) from earlier_keys k) as content`,
);
