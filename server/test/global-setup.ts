import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { systemClock } from '../src/base/clock.ts';
import { migrate } from '../src/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../src/database/open.ts';
import { startJobs } from '../src/jobs/jobs.ts';
import { TARGET_VARIABLE, TEMPLATE_DATABASE } from './harness/test-database.ts';

let dataDir: string;
let opened: OpenDatabase;

/** One PostgreSQL for the whole run, with a migrated template that every test file copies its database from. */
export async function globalSetup(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'bestow-test-'));
  opened = await openDatabase({ databaseUrl: undefined, dataDir }, 'server');
  const { target } = opened;
  const admin = new Client({ ...target });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const template = { ...target, database: TEMPLATE_DATABASE };
  await migrate(template);
  const jobs = await startJobs(template, systemClock, pino({ level: 'silent' }));
  await jobs.stop();
  process.env[TARGET_VARIABLE] = JSON.stringify(target);
}

export async function globalTeardown(): Promise<void> {
  await opened.close();
  await rm(dataDir, { recursive: true, force: true });
}
