import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thrownBy } from '../../server/test/harness/scripted-client.ts';
import { FakeBestow } from '../src/fake/index.ts';
import {
  ApiError,
  type Bestow,
  ConnectionError,
  InsufficientBalanceError,
  type OrderInput,
  ServiceError,
  TimeoutError,
  verifyWebhook,
} from '../src/index.ts';

const orderTo = (localPart: string): OrderInput => ({
  gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'email', email: `${localPart}@sandbox.gift.test` } }],
});

test('a program that takes a Bestow takes a FakeBestow', async () => {
  const thank = async (bestow: Bestow) => (await bestow.orders.create(orderTo('claimed'))).gifts[0]?.delivery.status;
  assert.equal(await thank(new FakeBestow()), 'claimed');
});

test('a fake says what it was asked, with the keys of retries', async () => {
  const bestow = new FakeBestow();
  await bestow.orders.create(orderTo('response-lost'), { idempotencyKey: 'visit-1' });
  const sent = bestow.requests.map(({ method, path, idempotencyKey }) => `${method} ${path} ${idempotencyKey}`);
  assert.deepEqual(sent, ['POST /v1/orders visit-1', 'POST /v1/orders visit-1']);
  assert.equal((await Array.fromAsync(bestow.orders.list())).length, 1);
});

test('a fake fails the next call as it is told, and only that one', async () => {
  const bestow = new FakeBestow();
  bestow.failNext('organization_suspended');
  const refused = await thrownBy(bestow.balance.retrieve());
  assert.ok(refused instanceof ApiError && refused.code === 'organization_suspended' && refused.status === 403);
  bestow.failNext('response_lost');
  const lost = await thrownBy(bestow.orders.create(orderTo('ada'), { maxRetries: 0 }));
  assert.ok(lost instanceof ConnectionError && lost.outcomeUnknown);
  assert.equal((await bestow.balance.retrieve()).available, 100_000_000 - 2_500);
});

test('a fake without enough money refuses an order until funds are added', async () => {
  const bestow = new FakeBestow({ balance: 0 });
  const refused = await thrownBy(bestow.orders.create(orderTo('ada'), { idempotencyKey: 'k' }));
  assert.ok(refused instanceof InsufficientBalanceError);
  bestow.addFunds(2_500);
  await bestow.orders.create(orderTo('ada'), { idempotencyKey: 'k' });
  assert.equal((await bestow.balance.retrieve()).available, 0);
});

test('the pushes of a fake are signed as the service signs them', async () => {
  const bestow = new FakeBestow();
  const { secret } = await bestow.webhookEndpoints.create({
    url: 'https://shop.example/hook',
    types: ['gift.claimed'],
  });
  await bestow.orders.create(orderTo('claimed'));
  const [push, ...others] = bestow.pushes;
  assert.equal(others.length, 0);
  const event = await verifyWebhook(push?.body ?? '', push?.headers ?? {}, secret);
  assert.equal(event.type, 'gift.claimed');
  await assert.rejects(verifyWebhook(`${push?.body} `, push?.headers ?? {}, secret));
});

test('a stream of a fake waits for events, and ends with its signal', async () => {
  const bestow = new FakeBestow();
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { type } of bestow.events.stream({ types: ['gift.claimed'] }, { signal: stop.signal })) {
      seen.push(type);
      stop.abort();
    }
  })().catch((error: Error) => assert.equal(error.name, 'AbortError'));
  await bestow.webhookEndpoints.create({ url: 'https://shop.example/hook' });
  await bestow.orders.create(orderTo('claimed'));
  await reading;
  assert.deepEqual(seen, ['gift.claimed']);
  // Those of the order, not once more at the end of the stream.
  assert.equal(bestow.pushes.length, 4);
});

test('what a fake does not have fails in words, not as an answer', async () => {
  const bestow = new FakeBestow();
  await assert.rejects(bestow.ledger.checkpoint(), /FakeBestow does not have the operation retrieveLedgerCheckpoint/);
  await assert.rejects(Array.fromAsync(bestow.gifts.list({ expand: ['card'] })), /does not have the part “card”/);
});

test('orders at once through a fake are charged once each', async () => {
  const bestow = new FakeBestow({ balance: 25_000 });
  const calls = Array.from({ length: 40 }, (_, index) =>
    bestow.orders.create(orderTo('ada'), { idempotencyKey: `k${index % 20}` }).catch((error: unknown) => error),
  );
  const answers = await Promise.all(calls);
  assert.equal(answers.filter((one) => one instanceof InsufficientBalanceError).length, 20);
  assert.equal((await bestow.balance.retrieve()).available, 0);
});

test('a call of a fake gives up as a real one does, by the clock of its pauses', async () => {
  const bestow = new FakeBestow();
  const failed = await thrownBy(bestow.orders.create(orderTo('internal-error')));
  assert.ok(failed instanceof ServiceError && failed.code === 'internal_error');
  assert.ok(bestow.requests.length > 5 && bestow.requests.length < 30, `${bestow.requests.length} attempts`);
  for (let index = 0; index < 70; index += 1) bestow.failNext('internal_error');
  const given = { timeoutMs: 5_000 };
  assert.ok((await thrownBy(bestow.orders.create(orderTo('ada'), given))) instanceof ServiceError);
  assert.ok((await thrownBy(bestow.orders.cancel('ord_0', {}, given))) instanceof ServiceError);
});

test('a slow answer of a fake takes five seconds of its clock', async () => {
  const bestow = new FakeBestow({ tryTimeoutMs: 1_000 });
  const { lastResponse } = await bestow.orders.create(orderTo('slow'));
  assert.deepEqual([lastResponse.attempts, lastResponse.isReplay], [2, true]);
  const late = await thrownBy(bestow.orders.create(orderTo('slow'), { maxRetries: 0 }));
  assert.ok(late instanceof TimeoutError && late.outcomeUnknown && /within 1000 ms/.test(late.message), `${late}`);
  const patient = new FakeBestow();
  const startMs = Date.now();
  const { created_at = '' } = (await patient.balance.retrieve()).last_entry ?? {};
  assert.ok(Date.parse(created_at) >= startMs - 1_000);
  assert.equal((await patient.orders.create(orderTo('slow'))).lastResponse.attempts, 1);
  await patient.orders.create(orderTo('ada'));
  const next = (await patient.balance.retrieve()).last_entry?.created_at ?? '';
  assert.ok(Date.parse(next) >= Date.parse(created_at) + 5_000, next);
  const over = await thrownBy(patient.orders.create(orderTo('slow'), { timeoutMs: 2_000 }));
  assert.ok(over instanceof TimeoutError && /within 2000 ms/.test(over.message), `${over}`);
});

test('a wait for an order of a fake ends at its limit', async () => {
  const bestow = new FakeBestow();
  const { order_id } = await bestow.orders.create(orderTo('processing'));
  const late = await thrownBy(bestow.orders.waitUntilProcessed(order_id, { timeoutMs: 5_000 }));
  assert.ok(late instanceof TimeoutError, `${late}`);
  assert.equal((await bestow.orders.waitUntilProcessed(order_id)).status, 'processed');
});

test('a fake refuses half a character', async () => {
  const bestow = new FakeBestow();
  const [gift] = orderTo('ada').gifts;
  assert.ok(gift);
  const refused = await thrownBy(
    bestow.orders.create({ gifts: [{ ...gift, personalization: { sender_name: 'a\ud800' } }] }),
  );
  assert.ok(refused instanceof ApiError && refused.param === 'gifts[0].personalization.sender_name', `${refused}`);
});

test('a disabled endpoint of a fake gets no push until it is enabled', async () => {
  const bestow = new FakeBestow();
  const { endpoint_id } = await bestow.webhookEndpoints.create({
    url: 'https://shop.example/',
    types: ['gift.claimed'],
  });
  await bestow.webhookEndpoints.update(endpoint_id, { status: 'disabled' });
  await bestow.orders.create(orderTo('claimed'));
  assert.equal(bestow.pushes.length, 0);
  await bestow.webhookEndpoints.update(endpoint_id, { status: 'enabled' });
  assert.equal(bestow.pushes.length, 1);
});
