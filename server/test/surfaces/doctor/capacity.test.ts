import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { Client } from 'pg';
import { fillGifts } from '../../../../bench/fill-gifts.ts';
import { SERVICE_USER_NAME } from '../../../src/platform/embedded-postgres/cluster.ts';
import { selectTableSizes } from '../../../src/surfaces/doctor/capacity-queries.ts';
import { growing, keptDays, steady } from '../../../src/surfaces/doctor/kept-days.ts';
import { measureCapacity } from '../../../src/surfaces/doctor/measure-capacity.ts';
import { linkGift } from '../../harness/api-client.ts';
import { commandEnvironment, runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, testConfig } from '../../harness/test-service.ts';

const DAY_MS = 86_400_000;
const ORDERS = 6_000;
const HISTORY_DAYS = 20;

/** Orders of the last 20 days, 300 a day. */
const service = openForFile(async () => {
  const opened = await startTestService();
  const organization = await opened.organization({ sandbox: 1_000_000_000 });
  const nowMs = opened.clock.now();
  const fill = async (fromMs: number, toMs: number) => {
    const client = new Client(opened.target);
    await client.connect();
    const organizationId = organization.organizationUuid;
    await fillGifts(client, { organizationId, environment: 'sandbox', orders: ORDERS, fromMs, toMs });
    await client.end();
  };
  await fill(nowMs - HISTORY_DAYS * DAY_MS, nowMs - 1);
  return { ...opened, organization, fill };
});

const external = { databaseUrls: ['postgres://db.example.com/bestow'] };
const measure = (diskBytes?: number, settings: Partial<Parameters<typeof measureCapacity>[0]['config']> = external) =>
  measureCapacity(
    { ...service.service.deps, clock: service.clock, config: { ...testConfig(), ...settings } },
    diskBytes,
  );

test('every table is known to be kept for days, kept for ever, or not to grow', async () => {
  const names = (await selectTableSizes(service.service.deps.database.home, [])).map(({ name }) => name);
  assert.deepEqual([...Object.keys(keptDays(testConfig())), ...growing, ...steady].sort(), names.sort());
});

test('says on which day the disk is full at the rate of the last seven days', async () => {
  const { orders, orders_per_day, growth_bytes_per_day, database_bytes } = await measure();
  assert.deepEqual([orders, orders_per_day], [ORDERS, ORDERS / HISTORY_DAYS]);
  const inDays = (days: number) => new Date(service.clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  for (const days of [1, 10, 60]) {
    const capacity = await measure(database_bytes + Math.round((days - 0.5) * growth_bytes_per_day));
    assert.equal(capacity.full_on, inDays(days));
  }
  assert.equal((await measure(database_bytes)).full_on, inDays(1));
  assert.equal((await measure(1e15)).full_on, null);
});

test('the next thousand orders need about the bytes that it says', async () => {
  const before = await measure();
  const nowMs = service.clock.now();
  await service.fill(nowMs, nowMs + DAY_MS);
  const after = await measure();
  const sizeOf = ({ tables }: typeof before) => tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const grown = ((sizeOf(after) - sizeOf(before)) / ORDERS) * 1_000;
  const ratio = grown / before.bytes_per_1000_orders;
  assert.ok(ratio > 0.85 && ratio < 1.15, `${before.bytes_per_1000_orders} bytes were ${grown}`);
});

test('a table whose rows are deleted grows only until its first rows are old enough', async () => {
  await service.organization.sandbox.order([linkGift()]);
  const [short, long] = [await measure(undefined, { ...external, eventsKeptDays: 1 }), await measure()];
  const events = ({ tables }: typeof short) => tables.find(({ table }) => table === 'events') ?? assert.fail();
  assert.deepEqual([events(short).kept_days, events(long).kept_days], [1, 90]);
  assert.ok(long.growth_bytes_per_day > short.growth_bytes_per_day);
  assert.ok((events(long).bytes_per_1000_orders ?? 0) > 0);
});

test('the embedded PostgreSQL is measured on the disk of DATA_DIR', async () => {
  const { disk } = await measure(undefined, { databaseUrls: [], dataDir: tmpdir() });
  assert.ok(disk !== null && disk.free_bytes > 0 && disk.free_bytes <= disk.total_bytes);
  assert.equal((await measure()).disk, null);
});

test('the command prints the tables and the day, also as JSON', async () => {
  const variables = commandEnvironment({ ...service.target, user: SERVICE_USER_NAME });
  const run = (...args: string[]) => runBestow(service.target, ['doctor', '--capacity', ...args], { variables });
  const { code, stdout } = await run('--disk-bytes', '500000000000', '--json');
  const { disk, tables } = JSON.parse(stdout);
  assert.deepEqual([code, disk.total_bytes, typeof tables[0].bytes], [0, 500_000_000_000, 'number']);
  const text = (await run()).stdout;
  assert.match(text, /^table +bytes +bytes per 1000 orders +kept$/m);
  assert.match(text, /^gifts +\d+ +\d+ +for ever$/m);
  assert.match(text, /^disk full on +unknown: add --disk-bytes$/m);
  assert.equal((await run('--disk-bytes', '0')).code, 2);
});
