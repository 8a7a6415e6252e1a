import { join } from 'node:path';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { SERVICE_USER_NAME } from '../../src/platform/embedded-postgres/cluster.ts';
import { createRouter, type Router } from './router.ts';
import type { ShardCluster } from './shards.ts';

export const TEMPLATE_DATABASE = 'bestow_template';
/** The PostgreSQL of this run, as JSON. */
export const TARGET_VARIABLE = 'BESTOW_TEST_TARGET';
/** The servers and PgDog of this run, as JSON, if it runs on shards. */
export const SHARDS_VARIABLE = 'BESTOW_TEST_SHARDS';

function shardsOfRun(): ShardCluster | undefined {
  const text = process.env[SHARDS_VARIABLE];
  return text === undefined ? undefined : (JSON.parse(text) as ShardCluster);
}

/** The servers of this test run: one, or the shards. */
function serversOfRun(): ConnectionTarget[] {
  const text = process.env[TARGET_VARIABLE];
  if (text === undefined) throw new Error('Run tests with: npm test [-- FILE …]; it starts their PostgreSQL.');
  return shardsOfRun()?.shards ?? [JSON.parse(text) as ConnectionTarget];
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

export const isOnShards = process.env[SHARDS_VARIABLE] !== undefined;
/** Makes PgDog run a test's `select` without a table on each shard. */
export const ON_EVERY_SHARD = 'from (select count(*) from organizations) as every_shard';

/** Refuses connections to this database and ends those of services, or allows connections again. */
export async function allowConnections({ database }: ConnectionTarget, isAllowed: boolean): Promise<void> {
  await asAdmin(serversOfRun(), `alter database ${database} with allow_connections ${isAllowed}`);
  await asAdmin(
    serversOfRun(),
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = '${database}' and application_name in ('bestow', 'PgDog')`,
  );
}

export interface TestDatabase {
  /** For SQL of tests, as a superuser. With shards: PgDog. */
  target: ConnectionTarget;
  /** For the service, as its role; the same if undefined. */
  serviceTarget?: ConnectionTarget;
  /** The database on each shard; none if the run has one server. */
  shards: ConnectionTarget[];
  router: Router | undefined;
  drop(): Promise<void>;
}

let made = 0;

/** Its sessions use pg-boss's `TestClock` if one is attached; otherwise our jobs would be due at the real time. */
const withTestClock = (target: ConnectionTarget) => ({ ...target, options: '-c pgboss.test_clock=on' });

/**
 * Copies the migrated template in about 30 ms, on each shard if there are several.
 *
 * @param cluster the shards of this test, otherwise those of the run
 */
export async function createTestDatabase(template = TEMPLATE_DATABASE, cluster = shardsOfRun()): Promise<TestDatabase> {
  made += 1;
  const database = `test_${process.pid}_${made}`;
  const servers = cluster?.shards ?? serversOfRun();
  await asAdmin(servers, `create database ${database} template ${template}`);
  const databases = servers.map((server) => withTestClock({ ...server, database }));
  const router = cluster && (await createRouter(cluster.program, join(cluster.directory, database), databases));
  await router?.start();
  const owner = databases[0] as ConnectionTarget;
  return {
    target: router?.target ?? owner,
    serviceTarget: router?.target ?? { ...owner, user: SERVICE_USER_NAME },
    shards: router ? databases : [],
    router,
    async drop() {
      await router?.stop();
      await asAdmin(servers, `drop database ${database} with (force)`);
    },
  };
}
