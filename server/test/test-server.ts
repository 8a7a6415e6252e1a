import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { migrate } from '../src/database/migrate.ts';
import { startJobs } from '../src/jobs/jobs.ts';
import { openDatabase } from '../src/process/open-database.ts';
import { TestClock } from './harness/test-clock.ts';
import { TARGET_VARIABLE, TEMPLATE_DATABASE } from './harness/test-database.ts';

/** One PostgreSQL for the whole run, with a migrated template that every test file copies its database from; answers its end. */
export async function openTestServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-test-'));
  const { target, close } = await openDatabase({ databaseUrl: undefined, dataDir }, 'server');
  const admin = new Client({ ...target });
  await admin.connect();
  // No test pulls this machine's plug. What is written to the disk at each commit makes a file of tests take twice as long.
  await admin.query('alter system set fsync = off');
  await admin.query('select pg_reload_conf()');
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const template = { ...target, database: TEMPLATE_DATABASE };
  await migrate(template);
  // Long ago, whatever the day: a test's clock must not be behind the time at which the schedules were made.
  const jobs = await startJobs(template, new TestClock('2026-01-01T00:00:00Z'), pino({ level: 'silent' }));
  await jobs.stop();
  process.env[TARGET_VARIABLE] = JSON.stringify(target);
  return async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
