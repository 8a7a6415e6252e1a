import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startScriptedServer } from '../../server/test/harness/scripted-server.ts';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { FolderStore } from '../src/folder-store.ts';
import { Bestow } from '../src/index.ts';

// A program that is killed after its order was placed, and before it got the answer.

const program = `
import { Bestow } from '${new URL('../src/index.ts', import.meta.url)}';
import { FolderStore } from '${new URL('../src/folder-store.ts', import.meta.url)}';
const [folder, baseUrl] = process.argv.slice(-2);
const bestow = new Bestow(process.env.BESTOW_KEY, { baseUrl, store: new FolderStore(folder) });
await bestow.orders.create({ gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }] });
`;

test('an order is placed once over kill -9 of its program', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { keys } = await service.organization();
  const folder = await mkdtemp(join(tmpdir(), 'bestow-killed-'));
  t.after(() => rm(folder, { recursive: true }));
  let child: ReturnType<typeof spawn> | undefined;
  const { baseUrl, seen } = await startScriptedServer(t, (_response, { headers }) => {
    const { authorization = '', 'idempotency-key': key } = headers;
    const sent = { authorization, 'idempotency-key': `${key}`, 'content-type': 'application/json' };
    const placing = fetch(`${service.url}/v1/orders`, { method: 'POST', headers: sent, body: seen[0]?.body ?? '' });
    void placing.then(() => child?.kill('SIGKILL'));
  });
  const env = { ...process.env, BESTOW_KEY: keys.sandbox };
  const args = ['--input-type=module', '--eval', program, '--', folder, baseUrl];
  child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  const bestow = new Bestow(keys.sandbox, { baseUrl: service.url, store: new FolderStore(folder) });
  const orders = await bestow.orders.list().toArray({ limit: 10 });
  const resumed = await bestow.orders.resume();
  assert.deepEqual(
    resumed.map(({ idempotencyKey, order }) => [idempotencyKey, order?.order_id]),
    [[seen[0]?.idempotencyKey, orders[0]?.order_id]],
  );
  assert.equal((await bestow.orders.list().toArray({ limit: 10 })).length, 1);
  assert.deepEqual(await bestow.orders.resume(), []);
});
