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

/** Starts the run's PostgreSQL with a migrated template; returns how to close it. */
export async function openTestServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-test-'));
  const { target, close } = await openDatabase({ databaseUrl: undefined, dataDir }, 'server');
  const admin = new Client({ ...target });
  await admin.connect();
  // Flushing each commit to the disk doubles the time of the tests.
  await admin.query('alter system set fsync = off');
  await admin.query('select pg_reload_conf()');
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const template = { ...target, database: TEMPLATE_DATABASE };
  await migrate(template);
  // A test's clock must not be behind the time of the schedules, so the template's clock is in the past.
  const jobs = await startJobs(template, new TestClock('2026-01-01T00:00:00Z'), pino({ level: 'silent' }));
  await jobs.stop();
  process.env[TARGET_VARIABLE] = JSON.stringify(target);
  return async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
