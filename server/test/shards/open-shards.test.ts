import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { openDatabase } from '../../src/platform/installation/open-database.ts';
import { isOperatorError } from '../harness/test-acts.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase('template1');
});
after(() => database.drop());

const urlOf = ({ user, password, host, port, database: name }: ConnectionTarget) =>
  `postgres://${user}:${password ?? ''}@${host}:${port}/${name}`;

const open = (shards: string[], migrates = true) =>
  openDatabase({ databaseUrl: urlOf(database.target), databaseShards: shards, dataDir: '' }, 'server', undefined, {
    migrates,
  });

async function onSecond<Row extends object>(text: string): Promise<Row[]> {
  const client = new Client(database.shards[1]);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test('a start migrates each shard directly, and stops at the first that fails', async () => {
  const [first = '', second = ''] = database.shards.map(urlOf);
  await assert.rejects(
    open([first, `${second}_missing`, second]),
    isOperatorError(
      /^The database of DATABASE_SHARDS, number 2 .* does not exist.*Shards 1 to 1 are migrated, the others/,
    ),
  );
  assert.deepEqual(await onSecond(`select to_regclass('organizations') as found`), [{ found: null }]);
  const { description, shardTargets, target } = await open([first, second]);
  assert.match(description, /, with 2 shards$/);
  assert.deepEqual([shardTargets.length, target.port], [2, database.target.port]);
});

test('a start refuses shards with different schemas', async () => {
  const urls = database.shards.map(urlOf);
  await open(urls);
  await onSecond(`insert into schema_migrations (name) values ('999999_${randomUUID()}.sql')`);
  await assert.rejects(open(urls), isOperatorError(/^The shards have different schemas/));
  await open(urls, false);
});
