import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { runBestow } from '../../harness/command-line.ts';
import { createTestDatabase } from '../../harness/test-database.ts';

test('a command on a new database creates the queues and adds its job', async () => {
  const database = await createTestDatabase('template0');
  const client = new Client(database.target);
  const create = ['org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test', '--json'];
  const created = await runBestow(database.target, create);
  const { organization_id: id } = JSON.parse(created.stdout);
  const add = ['member', 'add', '--org', id, '--email', 'bob@acme.test', '--role', 'member'];
  const added = await runBestow(database.target, add);
  assert.equal(added.code, 0, added.stderr);
  await client.connect();
  const { rows } = await client.query('select name from pgboss.job');
  assert.deepEqual(rows, [{ name: 'send-notice' }]);
  await client.end();
  await database.drop();
});
