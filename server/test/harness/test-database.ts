import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { SERVICE_USER_NAME } from '../../src/platform/embedded-postgres/cluster.ts';

export const TEMPLATE_DATABASE = 'bestow_template';
/** The PostgreSQL of this run, as JSON. */
export const TARGET_VARIABLE = 'BESTOW_TEST_TARGET';
/** The shards of this run, as JSON, if it has several servers. */
export const SHARDS_VARIABLE = 'BESTOW_TEST_SHARDS';

/** The servers of this test run: one, or the shards. */
function serversOfRun(): ConnectionTarget[] {
  const { [TARGET_VARIABLE]: one, [SHARDS_VARIABLE]: shards } = process.env;
  if (one === undefined) throw new Error('Run tests with: npm test [-- FILE …]; it starts their PostgreSQL.');
  return shards === undefined ? [JSON.parse(one) as ConnectionTarget] : (JSON.parse(shards) as ConnectionTarget[]);
}

async function asAdmin(servers: ConnectionTarget[], query: string): Promise<void> {
  for (const server of servers) {
    const admin = new Client({ ...server, database: 'postgres' });
    await admin.connect();
    try {
      await admin.query(query);
    } finally {
      await admin.end();
    }
  }
}

/** Refuses connections to this database and ends those of services, or allows connections again. */
export async function allowConnections({ database }: ConnectionTarget, isAllowed: boolean): Promise<void> {
  await asAdmin(serversOfRun(), `alter database ${database} with allow_connections ${isAllowed}`);
  await asAdmin(
    serversOfRun(),
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = '${database}' and application_name = 'bestow'`,
  );
}

export interface TestDatabase {
  /** For SQL of tests, as a superuser; the first of several servers. */
  target: ConnectionTarget;
  /** The database on each server, as a superuser. */
  servers: ConnectionTarget[];
  /** The same for the service, as its role. */
  serviceServers: ConnectionTarget[];
  drop(): Promise<void>;
}

let made = 0;

/** Its sessions use pg-boss's `TestClock` if one is attached; otherwise our jobs would be due at the real time. */
export const withTestClock = (target: ConnectionTarget) => ({ ...target, options: '-c pgboss.test_clock=on' });

/**
 * Copies the migrated template in about 30 ms, on each server if there are several.
 *
 * @param on the servers of this test, otherwise those of the run
 */
export async function createTestDatabase(template = TEMPLATE_DATABASE, on = serversOfRun()): Promise<TestDatabase> {
  made += 1;
  const database = `test_${process.pid}_${made}`;
  // Through the log of changes it would take twice as long.
  await asAdmin(on, `create database ${database} template ${template} strategy file_copy`);
  const servers = on.map((server) => withTestClock({ ...server, database }));
  return {
    target: servers[0] as ConnectionTarget,
    servers,
    serviceServers: servers.map((server) => ({ ...server, user: SERVICE_USER_NAME })),
    drop: () => asAdmin(on, `drop database ${database} with (force)`),
  };
}
