import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

// The service keeps running while a release migrates its schema.

/** Builds an index on an existing table, without a transaction. */
const BUILDS_INDEX = '000011_stuck_orders.sql';
/** Takes a lock on `deliveries` that blocks all writes. */
const LOCKS_TABLE = '000004_pending_deliveries.sql';
/** The lock that the previous release takes to migrate. */
const MIGRATION_LOCK = 0x626573746f77;

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());

/** Undoes the migration. */
async function takeBack(name: string, index: string): Promise<void> {
  await service.sql('delete from schema_migrations where name = $1', [name]);
  await service.sql(`drop index ${index}`);
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
    `select indisvalid from pg_index where indexrelid = 'orders_processing'::regclass`,
  );
  return row?.indisvalid;
};

test('orders are placed during an index build; an interrupted build is repeated', async (t) => {
  await organization.sandbox.order([linkGift()]);
  await takeBack(BUILDS_INDEX, 'orders_processing');
  const holder = await hold(t, 'update orders set completes_at = completes_at');
  const interrupted = assert.rejects(migrate(service.target), /canceling statement/);
  await untilItWaits('create index');
  for (let order = 0; order < 3; order += 1) assert.equal((await organization.sandbox.order([linkGift()])).status, 201);
  const [building] = await waiting('create index');
  await service.sql('select pg_cancel_backend($1)', [building?.pid]);
  await interrupted;
  await holder.query('rollback');
  assert.equal(await isIndexValid(), false);
  assert.deepEqual(await migrate(service.target), [BUILDS_INDEX]);
  assert.equal(await isIndexValid(), true);
  assert.deepEqual(await migrate(service.target), []);
});

test('an index is built while the previous release waits to migrate', async (t) => {
  await takeBack(BUILDS_INDEX, 'orders_processing');
  const holder = await hold(t, 'update orders set completes_at = completes_at');
  const migrating = migrate(service.target);
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
  await takeBack(LOCKS_TABLE, 'deliveries_pending');
  const holder = await hold(t, 'lock table deliveries in row exclusive mode');
  const migrating = migrate(service.target);
  for (let order = 0; order < 3; order += 1) {
    await untilItWaits('create index deliveries_pending');
    const { status, body } = await organization.sandbox.order([emailGift('delivered')]);
    assert.equal(status, 201, JSON.stringify(body));
  }
  await holder.query('rollback');
  assert.deepEqual(await migrating, [LOCKS_TABLE]);
});

test('a blocked migration names the blocker and changes nothing', async (t) => {
  await takeBack(LOCKS_TABLE, 'deliveries_pending');
  const holder = await hold(t, 'lock table deliveries in row exclusive mode');
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  await assert.rejects(migrate(service.target, 2), (error: unknown) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.equal(
      error.message.replace(/for \d+ s/, 'for N s'),
      `${LOCKS_TABLE} is blocked by session ${rows[0]?.pid} (holder, for N s). Wait for it to finish or terminate it, then retry.`,
    );
    return true;
  });
  assert.equal((await organization.sandbox.order([emailGift('delivered')])).status, 201);
  await holder.query('rollback');
  assert.deepEqual(await migrate(service.target), [LOCKS_TABLE]);
});
