import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/database/connections.ts';

export const TEMPLATE_DATABASE = 'bestow_template';
export const TARGET_VARIABLE = 'BESTOW_TEST_TARGET';

/** The PostgreSQL of this test run. */
function testServer(): ConnectionTarget {
  const text = process.env[TARGET_VARIABLE];
  if (text === undefined) throw new Error('Run tests with: npm test [-- FILE …]; it starts their PostgreSQL.');
  return JSON.parse(text) as ConnectionTarget;
}

async function asAdmin(query: string): Promise<void> {
  const admin = new Client({ ...testServer(), database: 'postgres' });
  await admin.connect();
  try {
    await admin.query(query);
  } finally {
    await admin.end();
  }
}

/** Refuses connections to this database and ends those of services, or allows connections again. */
export async function allowConnections({ database }: ConnectionTarget, isAllowed: boolean): Promise<void> {
  await asAdmin(`alter database ${database} with allow_connections ${isAllowed}`);
  await asAdmin(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = '${database}' and application_name = 'bestow'`,
  );
}

export interface TestDatabase {
  target: ConnectionTarget;
  drop(): Promise<void>;
}

let made = 0;

/**
 * Copies the migrated template in about 30 ms. Its sessions use pg-boss's `TestClock` if one is attached; otherwise a
 * job that our session adds would be due at the real time, years after the test's.
 */
export async function createTestDatabase(template = TEMPLATE_DATABASE): Promise<TestDatabase> {
  made += 1;
  const database = `test_${process.pid}_${made}`;
  await asAdmin(`create database ${database} template ${template}`);
  return {
    target: { ...testServer(), database, options: '-c pgboss.test_clock=on' },
    drop: () => asAdmin(`drop database ${database} with (force)`),
  };
}
