import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { temporaryDirectory, until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

// The service keeps running while a release migrates its schema.

/** Builds an index on an existing table, without a transaction. */
const BUILDS_INDEX = '000990_orders_index.sql';
const INDEX = 'orders_completing';
/** Takes a lock on `deliveries` that blocks all writes. */
const LOCKS_TABLE = '000991_deliveries_index.sql';
const TEXTS = {
  [BUILDS_INDEX]: `drop index concurrently if exists ${INDEX};
create index concurrently ${INDEX} on orders (completes_at) where completes_at is not null;
`,
  [LOCKS_TABLE]: 'create index deliveries_waiting on deliveries (channel);\n',
};
const MIGRATIONS = fileURLToPath(new URL('../../../src/platform/database/migrations/', import.meta.url));
/** The lock that the previous release takes to migrate. */
const MIGRATION_LOCK = 0x626573746f77;

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());

/** The schema with one more migration, which is not applied. */
async function withMore(t: TestContext, name: keyof typeof TEXTS): Promise<{ folder: URL }> {
  const directory = await temporaryDirectory(t);
  await cp(MIGRATIONS, directory, { recursive: true });
  await writeFile(join(directory, name), TEXTS[name]);
  await service.sql('delete from schema_migrations where name = $1', [name]);
  for (const index of [INDEX, 'deliveries_waiting']) await service.sql(`drop index if exists ${index}`);
  return { folder: pathToFileURL(`${directory}/`) };
}

/** Opens a foreign transaction that runs this statement and stays open. */
async function hold(t: TestContext, statement: string): Promise<Client> {
  const client = new Client({ ...service.target, application_name: 'holder' });
  await client.connect();
  t.after(() => client.end());
  await client.query('begin');
  await client.query(statement);
  return client;
}

const waiting = (query: string) =>
  service.sql<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ $1`,
    [query],
  );
const untilItWaits = (query: string) => until(async () => (await waiting(query)).length === 1, `${query} waits`);

const isIndexValid = async () => {
  const [row] = await service.sql<{ indisvalid: boolean }>(
    `select indisvalid from pg_index where indexrelid = '${INDEX}'::regclass`,
  );
  return row?.indisvalid;
};

test('orders are placed during an index build; an interrupted build is repeated', async (t) => {
  await organization.sandbox.order([linkGift()]);
  const more = await withMore(t, BUILDS_INDEX);
  const holder = await hold(t, 'update orders set completes_at = completes_at');
  const interrupted = assert.rejects(migrate(service.target, more), /canceling statement/);
  await untilItWaits('create index');
  for (let order = 0; order < 3; order += 1) assert.equal((await organization.sandbox.order([linkGift()])).status, 201);
  const [building] = await waiting('create index');
  await service.sql('select pg_cancel_backend($1)', [building?.pid]);
  await interrupted;
  await holder.query('rollback');
  assert.equal(await isIndexValid(), false);
  assert.deepEqual(await migrate(service.target, more), [BUILDS_INDEX]);
  assert.equal(await isIndexValid(), true);
  assert.deepEqual(await migrate(service.target, more), []);
});

test('an index is built while the previous release waits to migrate', async (t) => {
  const more = await withMore(t, BUILDS_INDEX);
  const holder = await hold(t, 'update orders set completes_at = completes_at');
  const migrating = migrate(service.target, more);
  await untilItWaits('create index');
  // Inside its statement, so that it and the index build wait for each other, until PostgreSQL looks for a deadlock.
  const before = new Client({ ...service.target, options: '-c deadlock_timeout=1min' });
  await before.connect();
  const turn = before.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  await untilItWaits('pg_advisory_lock');
  await holder.query('rollback');
  await turn;
  await before.end();
  assert.deepEqual(await migrating, [BUILDS_INDEX]);
  assert.equal(await isIndexValid(), true);
});

test('orders are placed while a migration waits for their table', async (t) => {
  const more = await withMore(t, LOCKS_TABLE);
  const holder = await hold(t, 'lock table deliveries in row exclusive mode');
  const migrating = migrate(service.target, more);
  for (let order = 0; order < 3; order += 1) {
    await untilItWaits('create index deliveries_waiting');
    const { status, body } = await organization.sandbox.order([emailGift('delivered')]);
    assert.equal(status, 201, JSON.stringify(body));
  }
  await holder.query('rollback');
  assert.deepEqual(await migrating, [LOCKS_TABLE]);
});

test('a blocked migration names the blocker and changes nothing', async (t) => {
  const more = await withMore(t, LOCKS_TABLE);
  const holder = await hold(t, 'lock table deliveries in row exclusive mode');
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  await assert.rejects(migrate(service.target, { ...more, attempts: 2 }), (error: unknown) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.equal(
      error.message.replace(/for \d+ s/, 'for N s'),
      `${LOCKS_TABLE} is blocked by session ${rows[0]?.pid} (holder, for N s). Wait for it to finish or terminate it, then retry.`,
    );
    return true;
  });
  assert.equal((await organization.sandbox.order([emailGift('delivered')])).status, 201);
  await holder.query('rollback');
  assert.deepEqual(await migrate(service.target, more), [LOCKS_TABLE]);
});
