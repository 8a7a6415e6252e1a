import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { insertJobs } from '../../../src/platform/jobs/insert-jobs.ts';
import { queues } from '../../../src/platform/jobs/tasks.ts';
import { createTestDatabase } from '../../harness/test-database.ts';

const insert = insertJobs('select $1::text as queue, $2::jsonb as data, make_interval(secs => $3) as delay');
const DATA = { giftId: 'a', nested: { traceparent: 'b' } };

test('our insert writes the same row as pg-boss’s own; a missing queue is an error', async () => {
  const database = await createTestDatabase();
  const client = new Client(database.target);
  await client.connect();
  const boss = new PgBoss({ ...(database.target as object), supervise: false, schedule: false });
  await boss.start();
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
  const takeJobs = async () =>
    (await client.query(`delete from pgboss.job j returning to_jsonb(j) - 'id' as job, id is not null as has_id`)).rows;

  // Within a transaction the time stands still.
  await client.query('begin');
  await takeJobs();
  for (const { name } of Object.values(queues))
    for (const startAfter of [0, 20]) {
      await boss.insert(name, [{ data: DATA, startAfter }], { db });
      const expected = await takeJobs();
      assert.equal(expected.length, 1);
      await client.query(insert, [name, DATA, startAfter]);
      assert.deepEqual(await takeJobs(), expected);
    }
  await assert.rejects(client.query(insert, ['gone', DATA, 0]), /violates not-null constraint/);

  await boss.stop();
  await client.end();
  await database.drop();
});
