import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { body, clientOf, errorStep, order, placed, thrownBy } from '../../server/test/harness/scripted-client.ts';
import { drop, html, type Step } from '../../server/test/harness/scripted-server.ts';
import { FolderStore } from '../src/folder-store.ts';
import { AbortError, ConnectionError, InsufficientBalanceError, type KeptOrder, StoreError } from '../src/index.ts';

// What a store keeps, and what is resumed, against a scripted server.

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bestow-store-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'kept', 'orders');
}
const keptKeys = async (store: FolderStore) =>
  (await Array.fromAsync(store.kept(), ({ idempotencyKey }) => idempotencyKey)).sort();
/** The file of the key `k`, as the clients for Python and Go write it. */
const FILE_OF_K = '8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a.json';

test('an order is kept before each attempt, with its body, and forgotten after its answer', async (t) => {
  const store = new FolderStore(await folderOf(t));
  const seen: KeptOrder[] = [];
  const look =
    (step: Step): Step =>
    (response, request) => {
      void Array.fromAsync(store.kept(), (one) => seen.push(one)).then(() => step(response, request));
    };
  const { bestow } = await clientOf(t, [look(drop), look(placed)], { store });
  await bestow.orders.create(body, { idempotencyKey: 'a/../b' });
  const one = { idempotencyKey: 'a/../b', body: JSON.stringify(body) };
  assert.deepEqual(seen, [one, one]);
  assert.deepEqual(await keptKeys(store), []);
  await bestow.orders.create(body);
  assert.match(seen[2]?.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
});

for (const [name, steps, isKept] of [
  ['a refusal', [errorStep('insufficient_balance')], false],
  ['a wrong key', [errorStep('api_key_revoked')], false],
  ['a lost answer', [drop], true],
  ['a firewall’s page', [html(403)], true],
  ['an error that may be retried', [errorStep('resource_locked')], true],
  ['a refusal after a lost answer', [drop, errorStep('insufficient_balance')], true],
] as const)
  test(`after ${name} the order is ${isKept ? 'kept' : 'forgotten'}`, async (t) => {
    const store = new FolderStore(await folderOf(t));
    const { bestow } = await clientOf(t, [...steps], { store, maxRetries: steps.length - 1 });
    await thrownBy(bestow.orders.create(body, { idempotencyKey: 'k' }));
    assert.deepEqual(await keptKeys(store), isKept ? ['k'] : []);
  });

test('resuming sends each order with its own key and body, and tells the results', async (t) => {
  const store = new FolderStore(await folderOf(t));
  // An object that was parsed and written again would have another order.
  const text = '{ "gifts": [], "metadata": {"b": "1", "2": "é"} }';
  for (const key of ['a', 'b', 'c', 'd']) await store.keep(key, text);
  const steps: Record<string, Step> = {
    a: placed,
    b: errorStep('insufficient_balance'),
    c: drop,
    d: errorStep('api_key_revoked'),
  };
  const answer: Step = (response, request) => steps[`${request.headers['idempotency-key']}`]?.(response, request);
  const { bestow, seen } = await clientOf(t, [answer], { store, maxRetries: 0 });
  const resumed = await bestow.orders.resume({ expand: ['history'] });
  assert.deepEqual(seen.map(({ idempotencyKey, body: sent }) => `${idempotencyKey} ${sent}`).sort(), [
    ...['a', 'b', 'c', 'd'].map((key) => `${key} ${text}`),
  ]);
  assert.equal(seen[0]?.url, '/v1/orders?expand=history');
  const results = new Map(resumed.map((one) => [one.idempotencyKey, one]));
  assert.deepEqual([results.get('a')?.order, results.get('a')?.body], [order, JSON.parse(text)]);
  assert.equal(results.get('a')?.order?.lastResponse.idempotencyKey, 'a');
  assert.ok(results.get('b')?.error instanceof InsufficientBalanceError);
  assert.ok(results.get('c')?.error?.outcomeUnknown);
  // A wrong API key says nothing about the earlier attempts.
  assert.deepEqual(await keptKeys(store), ['c', 'd']);
});

for (const content of [
  '',
  '{',
  '[]',
  '7',
  '{"idempotency_key":"b"}',
  '{"idempotency_key":"b","body":{}}',
  'of another',
])
  test(`a broken file is named and the other orders are resumed: ${content}`, async (t) => {
    const folder = await folderOf(t);
    const store = new FolderStore(folder);
    await store.keep('k', JSON.stringify(body));
    const file = join(folder, FILE_OF_K);
    const whole = await readFile(file, 'utf8');
    for (const key of ['a', 'c']) await store.keep(key, '{"gifts":[]}');
    await writeFile(file, content === 'of another' ? whole.replace('"k"', '"l"') : content);
    const { bestow } = await clientOf(t, [placed], { store });
    const resumed = await bestow.orders.resume();
    const last = resumed.pop();
    assert.deepEqual(resumed.map(({ idempotencyKey }) => idempotencyKey).sort(), ['a', 'c']);
    assert.ok(last?.error instanceof StoreError && last.error.outcomeUnknown && last.idempotencyKey === undefined);
    const message = `${file} holds no order of this name. Repair the file, or remove it.`;
    assert.equal(last.error.message, `Kept orders cannot be read: ${message}`);
    assert.deepEqual(await readdir(folder), [FILE_OF_K]);
    await assert.rejects(store.keep('k', '{}'), { message });
  });

test('nothing is sent if the order cannot be kept, or if the call is already aborted', async (t) => {
  const store = new FolderStore(await folderOf(t));
  await store.keep('k', '{"gifts":[]}');
  const { bestow, seen } = await clientOf(t, [placed], { store });
  const refused = await thrownBy(bestow.orders.create(body, { idempotencyKey: 'k' }));
  assert.ok(refused instanceof StoreError && refused.idempotencyKey === 'k' && !refused.outcomeUnknown);
  assert.match(refused.message, /^The order was not sent, because it could not be kept\. Another order is kept/);
  const error = await thrownBy(bestow.orders.create(body, { signal: AbortSignal.abort() }));
  assert.ok(error instanceof AbortError && !error.outcomeUnknown);
  assert.deepEqual([seen.length, await keptKeys(store)], [0, ['k']]);
});

test('an order that another client kept is the same order', async (t) => {
  const store = new FolderStore(await folderOf(t));
  await store.keep('k', '{"gifts": [{"amount": 2500}], "external_id": "a"}');
  await store.keep('k', '{"external_id":"a","gifts":[{"amount":2500}]}');
  await assert.rejects(store.keep('k', '{"external_id":"b","gifts":[{"amount":2500}]}'), /A new key is a new order/);
});

test('a key that no request can carry is named, and the other orders are resumed', async (t) => {
  const store = new FolderStore(await folderOf(t));
  for (const key of ['a', ' blank', 'ключ']) await store.keep(key, '{"gifts":[]}');
  const { bestow } = await clientOf(t, [placed], { store });
  const [first, last] = await bestow.orders.resume();
  assert.equal(first?.idempotencyKey, 'a');
  assert.ok(last?.error instanceof StoreError);
  assert.match(
    last.error.message,
    /the kept key " blank".*the kept key "ключ"|the kept key "ключ".*the kept key " blank"/,
  );
});

test('an order is answered even if the store cannot forget it; the log says so', async (t) => {
  class FullStore extends FolderStore {
    override async forget(): Promise<void> {
      throw new Error('the disk is full');
    }
  }
  const lines: unknown[][] = [];
  const logger = { debug: () => undefined, warn: (...line: unknown[]) => void lines.push(line) };
  const { bestow } = await clientOf(t, [placed], { store: new FullStore(await folderOf(t)), logger });
  assert.deepEqual(await bestow.orders.create(body), order);
  assert.match(`${lines}`, /an answered order stays in the store,Error: the disk is full/);
});

test('a store can be a list of a database; other acts are not kept', async (t) => {
  const rows = new Map([['k', JSON.stringify(body)]]);
  const store = {
    keep: async (key: string, text: string) => rows.set(key, text),
    forget: async (key: string) => rows.delete(key),
    kept: async () => [...rows].map(([idempotencyKey, text]) => ({ idempotencyKey, body: text })),
  };
  const { bestow } = await clientOf(t, [drop], { store, maxRetries: 0 });
  assert.ok((await thrownBy(bestow.orders.cancel('ord_1'))) instanceof ConnectionError);
  assert.equal(rows.size, 1);
  const { bestow: resuming } = await clientOf(t, [placed], { store });
  assert.deepEqual((await resuming.orders.resume())[0]?.order, order);
  assert.equal(rows.size, 0);
});

test('without a store nothing can be resumed', async (t) => {
  const { bestow } = await clientOf(t, [placed]);
  assert.match(`${await thrownBy(bestow.orders.resume())}`, /TypeError: The client has no store/);
});

test('the files are private, have no API key, and are those of the other clients', async (t) => {
  const folder = await folderOf(t);
  const { bestow } = await clientOf(t, [drop], { store: new FolderStore(folder), maxRetries: 0 });
  await thrownBy(bestow.orders.create(body, { idempotencyKey: 'k' }));
  assert.deepEqual(await readdir(folder), [FILE_OF_K]);
  const modes = [folder, join(folder, FILE_OF_K)].map(async (path) => (await stat(path)).mode & 0o777);
  assert.deepEqual(await Promise.all(modes), [0o700, 0o600]);
  const text = await readFile(join(folder, FILE_OF_K), 'utf8');
  assert.deepEqual(JSON.parse(text), { idempotency_key: 'k', body: JSON.stringify(body) });
});

test('an order that another client kept is resumed', async (t) => {
  const folder = await folderOf(t);
  const store = new FolderStore(folder);
  await keptKeys(store);
  const text = String.raw`{"idempotency_key": "k", "body": "{\"gifts\": [], \"external_id\": \"\u00e9\"}"}`;
  await writeFile(join(folder, FILE_OF_K), text);
  const { bestow, seen } = await clientOf(t, [placed], { store });
  assert.deepEqual((await bestow.orders.resume())[0]?.order, order);
  assert.equal(seen[0]?.body, '{"gifts": [], "external_id": "é"}');
});

test('a temporary file of a killed program is removed after an hour', async (t) => {
  const folder = await folderOf(t);
  const store = new FolderStore(folder);
  assert.deepEqual(await keptKeys(store), []);
  for (const name of ['old.tmp', 'new.tmp']) await writeFile(join(folder, name), '{');
  await utimes(join(folder, 'old.tmp'), 0, 0);
  assert.deepEqual([await keptKeys(store), await readdir(folder)], [[], ['new.tmp']]);
});
