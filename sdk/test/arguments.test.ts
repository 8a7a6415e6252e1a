import assert from 'node:assert/strict';
import { test } from 'node:test';
import { body, clientOf, placed, thrownBy } from '../../server/test/harness/scripted-client.ts';
import { json } from '../../server/test/harness/scripted-server.ts';
import { Bestow, type BestowOptions, type CallOptions, type CreateOrderOptions } from '../src/index.ts';

// Arguments that the client refuses before it sends anything. Plain JavaScript can pass them; TypeScript cannot.

test('refuses an invalid key or address at once and sends nothing', async (t) => {
  const { bestow, seen, baseUrl } = await clientOf(t, [placed]);
  await assert.rejects(bestow.orders.create(body, { idempotencyKey: 'line\nbreak' }), TypeError);
  assert.equal(seen.length, 0);
  for (const wrong of [
    '',
    'ftp://localhost',
    'localhost:3000',
    'http://user@localhost',
    `${baseUrl}?a=b`,
    `${baseUrl}#c`,
    `${baseUrl}/?`,
    `${baseUrl}/#`,
    'http://:secret@localhost',
  ])
    assert.throws(() => new Bestow('key', { baseUrl: wrong }), TypeError, wrong);
  await new Bestow('key', { baseUrl: `${baseUrl}/below/` }).orders.retrieve('../x?y');
  assert.equal(seen[0]?.url, '/below/v1/orders/..%2Fx%3Fy');
});

test('refuses an API key that no header can hold, without showing it', async (t) => {
  const { baseUrl, seen } = await clientOf(t, [placed]);
  for (const key of ['bestow-12\n34', 'bestow-12\r34', 'bestow-12\u000034', 'bestow-12€34'])
    assert.throws(
      () => new Bestow(key, { baseUrl }),
      (error) => error instanceof TypeError && !/12|34/.test(`${error.message} ${error.cause}`),
      key,
    );
  // As a key stands in a file.
  await new Bestow('\ufeffbestow-1234\n', { baseUrl }).orders.create(body);
  assert.equal(seen.length, 1);
});

test('refuses an idempotency key that is not a string', async (t) => {
  const { bestow, seen } = await clientOf(t, [placed]);
  for (const idempotencyKey of [null, 7, {}, false] as unknown as string[])
    await assert.rejects(bestow.orders.create(body, { idempotencyKey }), TypeError);
  assert.equal(seen.length, 0);
  await bestow.orders.create(body, { idempotencyKey: undefined });
  assert.match(seen[0]?.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
});

test('refuses an idempotency key that no header can hold as it is', async (t) => {
  const { bestow, seen } = await clientOf(t, [placed]);
  for (const idempotencyKey of ['', ' a', 'a ', 'ключ', 'a'.repeat(256)])
    await assert.rejects(bestow.orders.create(body, { idempotencyKey }), {
      name: 'TypeError',
      message: 'idempotencyKey must be 1 to 255 printable ASCII characters, without blanks at its ends.',
    });
  assert.equal(seen.length, 0);
});

test('refuses a filter that is no text, number or time, and sends a Date as its time', async (t) => {
  const { bestow, seen } = await clientOf(t, [json(200, { object: 'list', data: [], has_more: false })]);
  for (const [name, value] of Object.entries({
    created_before: new Date('never'),
    status: new Set(['claimed']),
    kind: null,
    recipient: () => 'ada@example.com',
    category: ['books', undefined],
    metadata: new Map([['team', 'sales']]),
    'metadata.team': { team: undefined },
    'metadata.lead': { lead: null },
  })) {
    const params = { [name.split('.')[0] as string]: value };
    const list = name === 'kind' ? bestow.balance.entries(params) : bestow.gifts.list(params);
    await assert.rejects(
      list.page(),
      { name: 'TypeError', message: `${name} must be a text, a number or a time.` },
      name,
    );
  }
  assert.equal(seen.length, 0);
  const time = { created_before: new Date(0) as unknown as string, category: undefined };
  await bestow.gifts.list(time).page();
  assert.equal(seen[0]?.url, '/v1/gifts?created_before=1970-01-01T00%3A00%3A00.000Z');
});

test('refuses an unknown option by name', async (t) => {
  const { bestow, seen } = await clientOf(t, [placed]);
  const misspelt = { idempotency_key: 'mine' } as CreateOrderOptions;
  await assert.rejects(bestow.orders.create(body, misspelt), { name: 'TypeError', message: /idempotency_key/ });
  const mine = { idempotencyKey: 'mine' } as CallOptions;
  await assert.rejects(bestow.orders.retrieve('ord_1', mine), TypeError);
  await assert.rejects(bestow.orders.list({}, mine).page(), TypeError);
  await assert.rejects(bestow.sandbox.reset(mine), TypeError);
  assert.equal(seen.length, 0);
});

test('rejects an id that a URL cannot hold', async (t) => {
  const { bestow, seen } = await clientOf(t, [placed]);
  const { orders, gifts, sandbox } = bestow;
  for (const call of [
    () => orders.retrieve('\ud800'),
    () => gifts.retrieve('gift_\udfff'),
    () => gifts.redirect('\ud800', { method: 'phone', phone: '+12025550100' }),
    () => sandbox.deliver('\ud800'),
    () => sandbox.open('\ud800'),
    () => sandbox.claim('\ud800'),
    () => sandbox.spend('\ud800'),
  ]) {
    let promise: Promise<unknown> | undefined;
    assert.doesNotThrow(() => {
      promise = thrownBy(call());
    });
    assert.ok((await promise) instanceof TypeError);
  }
  assert.equal(seen.length, 0);
});

test('says in one sentence which option is missing, unknown or wrong', () => {
  const baseUrl = 'http://localhost:3000';
  for (const [key, options, words] of [
    [undefined, { baseUrl }, /API key is missing/],
    [' ', { baseUrl }, /API key is missing/],
    [123, { baseUrl }, /API key is missing/],
    ['key', undefined, /address of your Bestow/],
    ['key', {}, /address of your Bestow/],
    ['key', { baseUrl: '127.0.0.1:3330' }, /baseUrl must be/],
    ['key', { baseUrl, timeout: 5 }, /no option "timeout"/],
    ['key', { baseUrl, maxRetries: -1 }, /maxRetries/],
    ...[Number.NaN, -1, 0, null].map((timeoutMs) => ['key', { baseUrl, timeoutMs }, /timeoutMs must be/] as const),
  ] as const)
    assert.throws(() => new Bestow(key as string, options as BestowOptions), { name: 'TypeError', message: words });
});

test('refuses a missing id, and a time limit that is not a number', async (t) => {
  const { bestow, seen } = await clientOf(t, [placed]);
  for (const id of [undefined, '', '.', '..', 7] as string[])
    await assert.rejects(bestow.orders.retrieve(id), { name: 'TypeError', message: 'order_id is missing or no text.' });
  await assert.rejects(bestow.orders.create(body, { timeoutMs: Number.NaN }), TypeError);
  assert.equal(seen.length, 0);
});

test('refuses a browser without permission, because a page shows its key', (t) => {
  const baseUrl = 'http://localhost:3000';
  t.after(() => {
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
  });
  Object.assign(globalThis, { window: {}, document: {} });
  assert.throws(() => new Bestow('key', { baseUrl }), { name: 'TypeError', message: /in a browser/ });
  new Bestow('key', { baseUrl, dangerouslyAllowBrowser: true });
});

test('refuses what JSON would leave out or empty, and names the field', async (t) => {
  const { bestow, seen } = await clientOf(t, [placed]);
  const [gift] = body.gifts;
  const wrong: [string, object][] = [
    ['send_at', { gifts: [{ ...gift, send_at: new Date('31.12.2026') }] }],
    ['metadata', { ...body, metadata: new Map([['team', 'sales']]) }],
    ['external_id', { ...body, external_id: () => 1 }],
    ['external_id', { ...body, external_id: Symbol('a') }],
    ['amount', { gifts: [{ ...gift, amount: 1000n }] }],
    ['amount', { gifts: [{ ...gift, amount: Number.NaN }] }],
    ['gifts', { gifts: new Set([gift]) }],
  ];
  for (const [name, given] of wrong)
    await assert.rejects(bestow.orders.create(given as typeof body), {
      name: 'TypeError',
      message: `${name} is not JSON.`,
    });
  assert.equal(seen.length, 0);
  const sendAt = new Date('2026-12-31T09:00:00Z');
  await bestow.orders.create({ ...body, gifts: [{ ...gift, send_at: sendAt, language: null }] } as never);
  const [sent] = JSON.parse(seen[0]?.body ?? '').gifts;
  assert.deepEqual([sent.send_at, sent.language], [sendAt.toISOString(), null]);
});

test('names a parameter that a call does not have, and a month that is no text', async (t) => {
  const { bestow, seen } = await clientOf(t, [placed]);
  const refusals: [() => Promise<unknown>, string][] = [
    [() => bestow.contacts.delete('con_1', { unsent: 'keep' } as object), 'This call has no parameter "unsent".'],
    [() => bestow.ledger.statement(new Date() as never), 'month is missing or no text.'],
  ];
  for (const [call, message] of refusals) await assert.rejects(call, { name: 'TypeError', message });
  assert.equal(seen.length, 0);
});
