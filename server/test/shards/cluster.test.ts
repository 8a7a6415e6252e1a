import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Pool } from 'pg';
import { idOnShard } from '../../src/platform/database/shard-of.ts';
import { type RunningShards, startShards } from '../harness/shards.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';

let shards: RunningShards;
let database: TestDatabase;
let pool: Pool;

before(async () => {
  shards = (await startShards()) ?? assert.fail('There is no PgDog.');
  database = await createTestDatabase(undefined, shards);
  pool = new Pool(database.target);
  pool.on('error', () => undefined);
});

after(async () => {
  await pool.end();
  await database.drop();
  await shards.close();
});

/** The port of the server that answers for this organization. */
async function portOf(organizationId: string): Promise<number> {
  const { rows } = await pool.query<{ port: number }>(
    `select current_setting('port')::int as port, count(*) from balances where organization_id = $1`,
    [organizationId],
  );
  return rows[0]?.port ?? assert.fail();
}

const organizationOnEach = () => shards.shards.map((_, shard) => idOnShard(shard, shards.shards.length));

test('a statement for several shards is counted, and refused', async () => {
  for (const organizationId of organizationOnEach()) await portOf(organizationId);
  const counted = (await database.router?.counters()) ?? assert.fail();
  assert.ok(counted.toOneShard >= 2);
  assert.deepEqual(counted.toSeveral, []);
  const everywhere = { text: 'select count(*) from balances where environment = $1', values: ['live'] };
  await assert.rejects(pool.query(everywhere), { code: '58000', message: 'cross-shard queries are disabled' });
  assert.deepEqual((await database.router?.counters())?.toSeveral, [everywhere.text]);
});

test('a shard that crashed refuses its organizations alone, until it is back', async () => {
  const [first = '', second = ''] = organizationOnEach();
  await shards.stopShard(0);
  const [refused, answered] = await Promise.allSettled([portOf(first), portOf(second)]);
  assert.deepEqual([refused.status, answered.status], ['rejected', 'fulfilled']);
  await shards.startShard(0);
  assert.equal(await portOf(first), shards.shards[0]?.port);
});

test('a router that died answers after its restart', async () => {
  const [first = ''] = organizationOnEach();
  await database.router?.stop();
  await assert.rejects(portOf(first));
  await database.router?.start();
  assert.equal(await portOf(first), shards.shards[0]?.port);
});
