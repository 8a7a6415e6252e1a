import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../src/platform/installation/open-database.ts';
import { startShards } from './harness/shards.ts';
import { createTemplate } from './harness/template-database.ts';
import { SHARDS_VARIABLE, TARGET_VARIABLE } from './harness/test-database.ts';

/** Starts the run's PostgreSQL with a migrated template; returns how to close it. */
export async function openTestServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-test-'));
  const { ownerTarget: target, close } = await openDatabase({ databaseUrls: [], dataDir }, 'server');
  const admin = new Client({ ...target });
  await admin.connect();
  // Flushing each commit to the disk doubles the time of the tests.
  await admin.query('alter system set fsync = off');
  await admin.query('select pg_reload_conf()');
  await admin.end();
  await createTemplate(target);
  process.env[TARGET_VARIABLE] = JSON.stringify(target);
  return async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Starts the run's shards; returns how to close them. */
export async function openTestShards(): Promise<() => Promise<void>> {
  const { shards, close } = await startShards();
  process.env[TARGET_VARIABLE] = JSON.stringify(shards[0]);
  process.env[SHARDS_VARIABLE] = JSON.stringify(shards);
  return close;
}
