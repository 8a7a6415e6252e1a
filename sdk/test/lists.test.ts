import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from '../../server/test/harness/scripted-client.ts';
import { json } from '../../server/test/harness/scripted-server.ts';

// Filters of lists and the balance, against a scripted server.

const page = (ids: string[], more: object) =>
  json(200, { object: 'list', data: ids.map((gift_id) => ({ gift_id })), ...more });

test('a list sends its filters, and goes on where a search paused', async (t) => {
  const script = [
    page([], { has_more: true, next_cursor: 'gift_9' }),
    page(['gift_5'], { has_more: true }),
    page(['gift_1'], { has_more: false }),
  ];
  const { bestow, seen } = await clientOf(t, script);
  const ids: string[] = [];
  for await (const { gift_id } of bestow.gifts.list({ category: 'books', metadata: { team: 'sales' } }))
    ids.push(gift_id);
  assert.deepEqual(ids, ['gift_5', 'gift_1']);
  assert.deepEqual(
    seen.map(({ url = '' }) => new URLSearchParams(url.split('?')[1]).get('starting_after')),
    [null, 'gift_9', 'gift_5'],
  );
  const sent = new URLSearchParams(seen[0]?.url?.split('?')[1]);
  assert.deepEqual(
    [...sent],
    [
      ['category', 'books'],
      ['metadata[team]', 'sales'],
      ['limit', '100'],
    ],
  );
});

test('a call and a list send the parts that they ask for, and only such calls take them', async (t) => {
  const gift = { gift_id: 'gift_1', history: { state: 'opened' } };
  const { bestow, seen } = await clientOf(t, [
    json(200, gift),
    json(200, { object: 'list', data: [gift], has_more: false }),
  ]);
  const { history } = await bestow.gifts.retrieve('gift_1', { expand: ['history', 'card'] });
  assert.equal(history.state, 'opened');
  for await (const one of bestow.gifts.list({ expand: ['history'], limit: 1 }))
    assert.equal(one.history.state, 'opened');
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/v1/gifts/gift_1?expand=history%2Ccard', '/v1/gifts?expand=history&limit=1'],
  );
  const wrong = { expand: ['history'] } as object;
  await assert.rejects(async () => bestow.balance.retrieve(wrong), { message: 'This call has no option "expand".' });
});

test('an order is found by the external id of its buyer', async (t) => {
  const found = { order_id: 'ord_1', external_id: 'po 7/1' };
  const list = (data: object[]) => json(200, { object: 'list', data, has_more: false });
  const { bestow, seen } = await clientOf(t, [list([found]), list([])]);
  assert.deepEqual(await bestow.orders.findByExternalId('po 7/1'), found);
  assert.equal(await bestow.orders.findByExternalId('po 8'), undefined);
  assert.equal(seen[0]?.url, '/v1/orders?external_id=po+7%2F1&limit=1');
  for (const missing of [undefined, ''] as string[])
    await assert.rejects(bestow.orders.findByExternalId(missing), TypeError);
  assert.equal(seen.length, 2);
});

test('the balance and its entries are read', async (t) => {
  const balance = { object: 'balance', available: 5, currency: 'USD' };
  const { bestow, seen } = await clientOf(t, [json(200, balance), page([], { has_more: false })]);
  assert.deepEqual(await bestow.balance.retrieve(), balance);
  assert.deepEqual((await bestow.balance.entries({ kind: 'refund' }).page()).data, []);
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/v1/balance', '/v1/balance/entries?kind=refund'],
  );
});

test('a list gives its first page and an array, and refuses a misspelt parameter', async (t) => {
  const script = ['gift_3', 'gift_2', 'gift_1'].map((id) => page([id], { has_more: id !== 'gift_1' }));
  const { bestow, seen } = await clientOf(t, [...script, ...script, ...script]);
  const first = await bestow.gifts.list({ limit: 1 });
  assert.deepEqual([first.data.map(({ gift_id }) => gift_id), first.has_more, seen.length], [['gift_3'], true, 1]);
  const ids: string[] = [];
  for await (const { gift_id } of first) ids.push(gift_id);
  assert.deepEqual([ids, seen.length], [['gift_3', 'gift_2', 'gift_1'], 3]);
  assert.equal(seen[1]?.url, '/v1/gifts?limit=1&starting_after=gift_3');
  assert.equal((await bestow.gifts.list().toArray({ limit: 2 })).length, 2);
  assert.equal(seen.length, 5);
  const misspelt = { startingAfter: 'gift_1' } as object;
  await assert.rejects(async () => await bestow.gifts.list(misspelt), { name: 'TypeError', message: /startingAfter/ });
  await assert.rejects(bestow.events.list(misspelt), TypeError);
  const withoutLimit = bestow.gifts.list() as unknown as { toArray(): Promise<unknown> };
  await assert.rejects(withoutLimit.toArray(), { name: 'TypeError', message: /^toArray needs a limit/ });
  assert.equal(seen.length, 5);
});
