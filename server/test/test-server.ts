import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { systemClock } from '../src/base/clock.ts';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open.ts';
import { startJobs } from '../src/jobs/jobs.ts';
import { TARGET_VARIABLE, TEMPLATE_DATABASE } from './harness/test-database.ts';

/** One PostgreSQL for the whole run, with a migrated template that every test file copies its database from; answers its end. */
export async function openTestServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-test-'));
  const { target, close } = await openDatabase({ databaseUrl: undefined, dataDir }, 'server');
  const admin = new Client({ ...target });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const template = { ...target, database: TEMPLATE_DATABASE };
  await migrate(template);
  const jobs = await startJobs(template, systemClock, pino({ level: 'silent' }));
  await jobs.stop();
  process.env[TARGET_VARIABLE] = JSON.stringify(target);
  return async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
