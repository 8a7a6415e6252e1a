import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { idOnShard } from '../../src/platform/database/shard-of.ts';
import { exceptions, statements } from '../../src/platform/database/statement.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';

// PgDog explains the route of a statement without running it; statements.test.ts reads the texts alone.

let database: TestDatabase;
let client: Client;

before(async () => {
  for (const file of globSync('server/src/**/{queries,*-queries,end-session}.ts')) await import(`../../../${file}`);
  database = await createTestDatabase();
  client = new Client(database.target);
  await client.connect();
});

after(async () => {
  await client.end();
  await database.drop();
});

const parametersOf = (text: string) =>
  Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

/** Where PgDog sends the statement of this organization: a shard by the key, or `undefined`. */
async function routeOf(text: string, organizationId: string): Promise<string | undefined> {
  const values = [organizationId, ...Array.from({ length: parametersOf(text) - 1 }, () => null)];
  const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return /Shard (\d+): (?:INSERT )?matched sharding key/.exec(plan)?.[1];
}

test('PgDog finds the shard of every statement of one organization', async () => {
  const organizations = database.shards.map((_, shard) => idOnShard(shard, database.shards.length));
  const lost: string[] = [];
  const ofOne = [...statements].filter(([name, text]) => !exceptions.has(name) && !/\bportal\./.test(text));
  assert.ok(ofOne.length > 50, `${ofOne.length} statements`);
  for (const [name, text] of ofOne) {
    const routes = await Promise.all(
      organizations.map((organizationId) => routeOf(text, organizationId).catch((error: Error) => error.message)),
    );
    if (routes.join() !== '0,1') lost.push(name);
  }
  assert.deepEqual(lost, []);
});
