import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OutcomeUnknown } from '../../src/platform/base/outcome-unknown.ts';
import { openConnections } from '../../src/platform/database/connect-shards.ts';
import type { Database } from '../../src/platform/database/connections.ts';
import { inOrganization } from '../../src/platform/database/in-organization.ts';
import { createReadiness } from '../../src/platform/database/readiness.ts';
import { idOnShard } from '../../src/platform/database/shard-of.ts';
import { type RunningShards, startShards } from '../harness/shards.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';

let shards: RunningShards;
let own: TestDatabase;
let database: Database;

before(async () => {
  shards = (await startShards()) ?? assert.fail('There is no PgDog.');
  own = await createTestDatabase(undefined, shards);
  const targets = { target: own.target, shardTargets: own.shards, homeTarget: undefined };
  database = openConnections(targets, () => undefined, { requiresChanges: true });
});

after(async () => {
  await database.close();
  await own.drop();
  await shards.close();
});

/** More of each kind than there are connections of one shard. */
async function use(shard: number): Promise<PromiseSettledResult<unknown>[]> {
  const id = idOnShard(shard, 2);
  const update = 'update gifts set opened_at = now() where organization_id = $1';
  return await Promise.allSettled(
    Array.from({ length: 30 }, () => [
      database.read.query({ name: 'read', text: 'select from gifts where organization_id = $1', values: [id] }),
      database.change.query({ name: 'change', text: update, values: [id] }),
      inOrganization(database, id, (client) => client.query('select 1')),
    ]).flat(),
  );
}

const statuses = (results: PromiseSettledResult<unknown>[]) => [...new Set(results.map(({ status }) => status))];

test('organizations of other shards notice nothing of a shard that is down', async () => {
  const readiness = async () => await createReadiness(database)();
  for (const shard of [0, 1]) assert.deepEqual(statuses(await use(shard)), ['fulfilled']);
  await shards.stopShard(0);
  const [down, up] = await Promise.all([use(0), use(1)]);
  assert.deepEqual([statuses(down), statuses(up)], [['rejected'], ['fulfilled']]);
  // What came later never ran, so it is not OutcomeUnknown.
  const later = (await use(0)).map((result) => result.status === 'rejected' && result.reason);
  assert.ok(!later.some((reason) => reason instanceof OutcomeUnknown));
  assert.deepEqual(await readiness(), []);
  await shards.startShard(0);
  assert.deepEqual(statuses(await use(0)), ['fulfilled']);

  await own.router?.stop();
  assert.deepEqual(await readiness(), ['database_unreachable']);
  await own.router?.start();
  assert.deepEqual([statuses(await use(0)), await readiness()], [['fulfilled'], []]);
});
