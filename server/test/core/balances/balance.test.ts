import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const START = '2026-11-21T12:00:00.000Z';

test('the balance shows what can be spent, the currency and the last entry', async () => {
  const organization = await service.organization({ sandbox: 10_000, live: 0 });
  const order = await organization.sandbox.order([linkGift(2500)]);
  const { body } = await organization.sandbox.get('/v1/balance');
  const { entry_id } = body.last_entry;
  assert.match(entry_id, /^led_/);
  assert.deepEqual(body, {
    object: 'balance',
    available: 7500,
    currency: 'USD',
    last_entry: {
      entry_id,
      kind: 'order',
      amount: -2500,
      balance_after: 7500,
      order_id: order.body.order_id,
      created_at: START,
    },
  });
  assert.deepEqual((await organization.live.get('/v1/balance')).body, {
    object: 'balance',
    available: 0,
    currency: 'USD',
  });
});

test('entries are listed newest first, in pages, and filtered by kind and time', async () => {
  const organization = await service.organization({ sandbox: 10_000 });
  const startMs = service.clock.now();
  for (let number = 0; number < 3; number += 1) {
    await service.clock.advance(1000);
    await organization.sandbox.order([linkGift(1000)]);
  }
  await organization.fund('sandbox', 500);
  const list = async (query: string) => (await organization.sandbox.get(`/v1/balance/entries${query}`)).body;
  const all = await list('');
  assert.deepEqual(Object.keys(all), ['object', 'data', 'has_more']);
  assert.deepEqual(
    all.data.map(({ kind, amount, balance_after }: Record<string, unknown>) => [kind, amount, balance_after]),
    [
      ['funding', 500, 7500],
      ['order', -1000, 7000],
      ['order', -1000, 8000],
      ['order', -1000, 9000],
      ['funding', 10_000, 10_000],
    ],
  );
  const amounts = async (query: string) => (await list(query)).data.map(({ amount }: { amount: number }) => amount);
  assert.deepEqual(await amounts('?kind=funding'), [500, 10_000]);
  const at = (seconds: number) => encodeURIComponent(new Date(startMs + seconds * 1000).toISOString());
  assert.deepEqual(await amounts(`?created_after=${at(1)}&created_before=${at(3)}`), [-1000]);
  assert.deepEqual(await amounts(`?kind=funding&created_before=${at(1)}`), [10_000]);
  const first = await list('?limit=2&kind=order');
  assert.deepEqual([first.data.length, first.has_more], [2, true]);
  const next = await list(`?limit=2&kind=order&starting_after=${first.data[1].entry_id}`);
  assert.deepEqual([next.data.length, next.has_more], [1, false]);
  const back = await list(`?limit=2&kind=order&ending_before=${next.data[0].entry_id}`);
  assert.deepEqual(back.data, first.data);
  // A cursor need not match the filter.
  assert.deepEqual((await list(`?kind=funding&starting_after=${first.data[0].entry_id}`)).data.length, 1);
});

test('filters of entries are parsed strictly', async () => {
  const { sandbox, live } = await service.organization();
  const [{ entry_id: foreign }] = (await live.get('/v1/balance/entries')).body.data;
  const path = '/v1/balance/entries?';
  for (const [query, param] of [
    ['kind=gift', 'kind'],
    ['kind=order&kind=order', 'kind'],
    ['created_after=yesterday', 'created_after'],
    ['created_after=2026-11-21', 'created_after'],
    ['created_before=2026-13-01T00:00:00Z', 'created_before'],
    ['created_before=', 'created_before'],
    ['limit=0', 'limit'],
  ] as const)
    assertError(await sandbox.get(path + query), 'parameter_invalid', param);
  assertError(await sandbox.get(`${path}starting_after=${foreign}`), 'cursor_invalid', 'starting_after');
  assert.equal((await sandbox.get(`${path}created_after=2026-11-21T12:00:00%2B01:00`)).status, 200);
});
