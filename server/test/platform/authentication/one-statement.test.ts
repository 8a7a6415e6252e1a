import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { requestsLeft } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1000' }));

async function prepare() {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([linkGift(), emailGift('claimed')], 'first');
  const [giftId, claimedId] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  return { organization, orderId: body.order_id as string, giftId, claimedId };
}

test('a read is one statement, and a refused body looks up only the key', async () => {
  const { organization, orderId, giftId } = await prepare();
  const { sandbox } = organization;
  const { read } = service.service.deps.database;
  const asked: string[] = [];
  const query = read.query.bind(read);
  read.query = ((config) => {
    asked.push(config.name ?? '');
    return query(config);
  }) as typeof read.query;
  const statementsOf = async (method: string, path: string, status: number, body?: unknown) => {
    asked.length = 0;
    const answer = await sandbox.request(method, path, { body });
    assert.equal(answer.status, status, path);
    return asked.join();
  };
  try {
    const missing = encodeId('gift', randomUUID());
    for (const [path, name, status] of [
      ['/v1/categories', 'categories.list_sold', 200],
      ['/v1/balance', 'balances.select_of_caller', 200],
      ['/v1/balance/entries?kind=funding', 'ledger_entries.list_others_of_caller_descending', 200],
      [`/v1/orders/${orderId}`, 'orders.select', 200],
      ['/v1/orders', 'orders.list_descending', 200],
      [`/v1/orders?ending_before=${orderId}`, 'orders.list_ascending', 200],
      [`/v1/gifts/${giftId}`, 'gifts.select', 200],
      [`/v1/gifts/${missing}`, 'gifts.select', 404],
      ['/v1/gifts', 'gifts.list_descending', 200],
      [`/v1/gifts?starting_after=${giftId}`, 'gifts.list_descending', 200],
      [`/v1/gifts?starting_after=${missing}`, 'gifts.list_descending', 422],
    ] as const)
      assert.equal(await statementsOf('GET', path, status), name, path);
    const alone = 'authentication.select_caller';
    assert.equal(await statementsOf('GET', '/v1/gifts/gift_1', 404), alone);
    assert.equal(await statementsOf('PUT', `/v1/gifts/${giftId}/delivery`, 422, { method: 'fax' }), alone);
  } finally {
    read.query = query;
  }
});

test('every request counts once in its key’s rate limit', async () => {
  const { organization, giftId } = await prepare();
  const { sandbox } = organization;
  const first = requestsLeft(await sandbox.order([linkGift()]));
  const answers = [
    await sandbox.order([linkGift()]),
    await sandbox.order([{ ...linkGift(), category: 'unknown' }]),
    await sandbox.post('/v1/orders', '{', { 'Idempotency-Key': 'other' }),
    await sandbox.order([linkGift()]),
    await sandbox.get(`/v1/gifts/${giftId}`),
    await sandbox.get('/v1/gifts/gift_1'),
    await sandbox.get(`/v1/gifts?ending_before=${giftId}`),
    await sandbox.post(`/v1/sandbox/gifts/${giftId}/open`),
  ];
  assert.deepEqual(
    answers.map(requestsLeft),
    answers.map((_, n) => first - n - 1),
  );
});

test('an order, a read and a change are recorded as uses of their key', async () => {
  const { organization, giftId, claimedId } = await prepare();
  const { sandbox, keys } = organization;
  for (const [ask, status] of [
    [() => sandbox.order([linkGift()]), 201],
    [() => sandbox.get(`/v1/gifts/${giftId}`), 200],
    [() => sandbox.post(`/v1/sandbox/gifts/${claimedId}/spend`), 200],
  ] as const) {
    await service.clock.advance(5_000);
    await service.clock.jump(60_000 - (service.clock.now() % 60_000) + 1_000);
    const found = [hashKey(keys.sandbox), new Date(service.clock.now() - 1_000)];
    assert.equal((await ask()).status, status);
    const isRecorded = 'select from api_keys where hash = $1 and last_used_at = $2';
    await workUntil(service, async () => (await service.sql(isRecorded, found)).length === 1, 'recorded');
  }
});
