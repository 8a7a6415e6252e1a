import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../src/platform/installation/open-database.ts';
import { startShards } from './harness/shards.ts';
import { createTemplate } from './harness/template-database.ts';
import { SHARDS_VARIABLE, TARGET_VARIABLE } from './harness/test-database.ts';

export interface TestServers {
  /** Tell test processes where the servers are. */
  variables: Record<string, string>;
  close(): Promise<void>;
}

/** Starts the run's PostgreSQL with a migrated template. */
export async function startTestServer(): Promise<TestServers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-test-'));
  const { ownerTarget: target, close } = await openDatabase({ databaseUrls: [], dataDir }, 'server');
  const admin = new Client({ ...target });
  await admin.connect();
  // Flushing each commit to the disk doubles the time of the tests.
  await admin.query('alter system set fsync = off');
  await admin.query('select pg_reload_conf()');
  await admin.end();
  await createTemplate(target);
  return {
    variables: { [TARGET_VARIABLE]: JSON.stringify(target) },
    async close() {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts the run's shards. */
export async function startTestShards(): Promise<TestServers> {
  const { shards, close } = await startShards();
  return {
    variables: { [TARGET_VARIABLE]: JSON.stringify(shards[0]), [SHARDS_VARIABLE]: JSON.stringify(shards) },
    close,
  };
}

/** Starts a PostgreSQL for tests in this process; returns how to close it. */
export async function openTestServer(): Promise<() => Promise<void>> {
  const { variables, close } = await startTestServer();
  Object.assign(process.env, variables);
  return close;
}
