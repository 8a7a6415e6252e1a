import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { hideTable, showTable } from '../../harness/hide-table.ts';
import type { Reply } from '../../harness/webhook-receiver.ts';
import { addTestEndpoint, openForPushes, placeOrders, pushAll, pushUntil } from '../../harness/webhooks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { service, receiver, nextSequence, stateOf, deliveriesOf } = openForPushes();

const statesOf = async (endpointId: string) =>
  (await deliveriesOf(endpointId)).map(({ state, attempts }) => `${state} after ${attempts}`);

test('pushes each event once, with what a receiver needs to see a gap', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  await placeOrders(organization, 1);
  const { endpointId } = await addTestEndpoint(service, organization, `${hook.url}/in?a=1`, { types: null });
  const next = await nextSequence(organization);
  await placeOrders(organization, 3);
  await pushAll(service);
  const sorted = hook.received.toSorted((a, b) => a.body.sequence - b.body.sequence);
  assert.deepEqual(
    sorted.map(({ body }) => [body.sequence - next, body.previous_sequence]),
    [
      [0, null],
      [1, next],
      [2, next + 1],
    ],
  );
  const [first] = sorted;
  assert.ok(first);
  assert.equal(first.path, '/in?a=1');
  assert.equal(first.id, first.body.event_id);
  assert.match(first.id, /^evt_[0-9a-z]{26}$/);
  assert.equal(first.body.type, 'order.created');
  assert.match(first.body.data.order_id, /^ord_/);
  assert.equal(first.headers['content-type'], 'application/json');
  const delivered = { state: 'delivered', attempts: 1 };
  assert.deepEqual(
    await deliveriesOf(endpointId),
    [0, 1, 2].map((n) => ({ sequence: next + n, ...delivered })),
  );
  assert.equal((await stateOf(endpointId)).cursor, next + 2);
});

test('only chosen types are pushed, and others move the cursor', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url, { types: ['gift.claimed'] });
  await placeOrders(organization, 2);
  await pushAll(service);
  assert.equal(hook.received.length, 0);
  assert.equal((await stateOf(endpointId)).cursor, (await nextSequence(organization)) - 1);
});

test('tries ten times over 75 hours, each delay within 20 %, then gives up', async () => {
  const hook = await receiver();
  hook.reply = () => ({ status: 500, body: 'x'.repeat(5_000) });
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  await placeOrders(organization, 1);
  const delaysMs = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
  await pushAll(service);
  for (const [index, delayMs] of delaysMs.entries()) {
    assert.equal(hook.received.length, index + 1);
    const [row] = await service.sql<{ ms: number }>(
      `select extract(epoch from next_attempt_at - updated_at)::float8 * 1000 as ms from webhook_deliveries
       where endpoint_id = $1`,
      [endpointId],
    );
    assert.ok(row && Math.abs(row.ms / delayMs - 1) < 0.21, `${row?.ms} ms`);
    await service.clock.jump(delayMs * 0.5);
    await pushAll(service);
    // Each look of the pusher takes half a second.
    if (index > 0) assert.equal(hook.received.length, index + 1, `try ${index + 2} is not early`);
    await service.clock.jump(delayMs * 0.71);
    await pushAll(service);
  }
  assert.equal(hook.received.length, 10);
  assert.deepEqual(await statesOf(endpointId), ['failed after 10']);
  await service.clock.jump(30 * HOUR_MS);
  await pushAll(service);
  assert.equal(hook.received.length, 10);
  const ids = new Set(hook.received.map(({ id }) => id));
  assert.equal(ids.size, 1, 'every try has the same id');
  assert.equal(new Set(hook.received.map(({ timestamp }) => timestamp)).size, 10, 'and its own time');
  const attempts = await service.sql<{ status: number; length: number }>(
    'select status, octet_length(body) as length from webhook_attempts where endpoint_id = $1',
    [endpointId],
  );
  assert.deepEqual(attempts, Array(10).fill({ status: 500, length: 1_024 }));
});

test('pushes nothing as long as Retry-After says', async () => {
  const hook = await receiver();
  hook.reply = () => ({ status: 429, headers: { 'retry-after': '600' } });
  const organization = await service.organization();
  await addTestEndpoint(service, organization, hook.url);
  await placeOrders(organization, 1);
  await pushAll(service);
  hook.reply = () => ({ status: 204 });
  await placeOrders(organization, 1);
  await service.clock.jump(9 * MINUTE_MS);
  await pushAll(service);
  assert.equal(hook.received.length, 1);
  await service.clock.jump(MINUTE_MS);
  await pushAll(service);
  assert.deepEqual(
    hook.received.map(({ answered }) => answered),
    [429, 204, 204],
  );
});

for (const [text, minutes] of [
  ['a date', 10],
  ['a date that does not exist', 0],
] as const)
  test(`Retry-After with ${text} pauses pushes for ${minutes} minutes`, async () => {
    const hook = await receiver();
    const until =
      minutes === 0 ? 'Sun, 31 Feb 2099 12:00:00 GMT' : new Date(service.clock.now() + 600_000).toUTCString();
    hook.reply = () => ({ status: 429, headers: { 'retry-after': until } });
    const organization = await service.organization();
    await addTestEndpoint(service, organization, hook.url);
    await placeOrders(organization, 1);
    await pushAll(service);
    hook.reply = () => ({ status: 204 });
    await placeOrders(organization, 1);
    await service.clock.jump(9 * MINUTE_MS);
    await pushAll(service);
    assert.equal(hook.received.length, minutes === 0 ? 3 : 1);
  });

test('sending an event again ends the pause that Retry-After asked for', async () => {
  const hook = await receiver();
  hook.reply = () => ({ status: 503, headers: { 'retry-after': '3600' } });
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  await placeOrders(organization, 1);
  await pushAll(service);
  hook.reply = () => ({ status: 204 });
  const path = `/v1/webhook_endpoints/${encodeId('wh', endpointId)}`;
  const pausedUntil = async () => (await organization.sandbox.get(path)).body.paused_until;
  assert.ok(Date.parse(await pausedUntil()) > service.clock.now() + 59 * MINUTE_MS);
  const [pushed] = hook.received;
  assert.equal((await organization.sandbox.post(`${path}/deliveries/${pushed?.id}/resend`)).status, 200);
  await pushAll(service);
  assert.deepEqual([hook.received.length, await pausedUntil()], [2, null]);
});

test('a redirect is a failure and is not followed', async () => {
  const [hook, other] = [await receiver(), await receiver()];
  hook.reply = () => ({ status: 302, headers: { location: other.url } });
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  await placeOrders(organization, 1);
  await pushAll(service);
  assert.equal(other.received.length, 0);
  assert.deepEqual(await statesOf(endpointId), ['pending after 1']);
});

test('an ordered endpoint gets events in order, and none past one that failed', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  await addTestEndpoint(service, organization, hook.url, { isOrdered: true });
  const next = await nextSequence(organization);
  let failures = 0;
  hook.reply = ({ body }) => {
    if (body.sequence % 3 !== 0 || failures % 3 === 2) {
      if (body.sequence % 3 === 0) failures = 0;
      return { status: 204 };
    }
    failures += 1;
    return { status: 503 };
  };
  await placeOrders(organization, 10);
  for (let n = 0; n < 10; n += 1) {
    await pushAll(service);
    await service.clock.jump(7 * MINUTE_MS);
  }
  const accepted = hook.received.filter(({ answered }) => answered === 204).map(({ body }) => body.sequence);
  assert.deepEqual(
    accepted,
    Array.from({ length: 10 }, (_, n) => next + n),
  );
  const all = hook.received.map(({ body }) => body.sequence);
  assert.deepEqual(
    all,
    all.toSorted((a, b) => a - b),
  );
});

test('a change of an ordered endpoint does not push the event that is under way again', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url, { isOrdered: true });
  const { promise: answered, resolve: answer } = Promise.withResolvers<Reply>();
  hook.reply = () => answered;
  await placeOrders(organization, 2);
  await pushUntil(service, () => hook.received.length === 1, 'it is under way');
  const path = `/v1/webhook_endpoints/${encodeId('wh', endpointId)}`;
  assert.equal((await organization.sandbox.post(`${path}/rotate_secret`)).status, 200);
  for (let n = 0; n < 8; n += 1) await service.clock.advance(500);
  assert.equal(hook.received.length, 1);
  answer({ status: 204 });
  hook.reply = () => ({ status: 204 });
  await pushUntil(service, async () => (await deliveriesOf(endpointId)).length === 2, 'both are delivered');
  await pushAll(service);
  assert.equal(hook.received.length, 2);
});

test('two processes push each event once, each in turn', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  await addTestEndpoint(service, organization, hook.url);
  const second = await service.second();
  for (let n = 0; n < 5; n += 1) {
    await placeOrders(organization, 6);
    await pushAll(service);
  }
  await second.close();
  assert.equal(hook.received.length, 30);
  assert.equal(new Set(hook.received.map(({ id }) => id)).size, 30);
});

test('nine endpoints that hang do not delay the tenth', async (t) => {
  const [slow, quick] = [await receiver(), await receiver()];
  slow.reply = () => undefined;
  const organization = await service.organization();
  for (let n = 0; n < 9; n += 1) await addTestEndpoint(service, organization, `${slow.url}/${n}`);
  await addTestEndpoint(service, organization, quick.url);
  await placeOrders(organization, 5);
  const { clock } = service;
  const set = clock.setTimeout;
  const endings: (() => void)[] = [];
  t.after(() => {
    clock.setTimeout = set;
    for (const end of endings) end();
  });
  // No push is given up during the test, so the tenth endpoint gets its events while all others hang.
  clock.setTimeout = (run, ms) => set.call(clock, ms === 10_000 ? () => void endings.push(run) : run, ms);
  const hanging = () => new Set(slow.received.map(({ path }) => path)).size;
  await pushUntil(service, () => hanging() === 9 && quick.received.length === 5, 'the tenth endpoint has its events');
});

test('a hanging endpoint is given up after ten seconds', async () => {
  const hook = await receiver();
  hook.reply = () => undefined;
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  await placeOrders(organization, 1);
  await pushUntil(service, () => hook.received.length === 1, 'it was pushed');
  await service.clock.advance(10_000);
  await pushAll(service);
  const [attempt] = await service.sql('select status, error from webhook_attempts where endpoint_id = $1', [
    endpointId,
  ]);
  assert.deepEqual(attempt, { status: null, error: 'No answer within ten seconds.' });
});

test('a process that died leaves its endpoint to another one', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  await service.sql(
    'update webhook_endpoints set lease_id = gen_random_uuid(), leased_until = $2 where endpoint_id = $1',
    [endpointId, new Date(service.clock.now() + 30_000)],
  );
  await placeOrders(organization, 1);
  for (let n = 0; n < 5; n += 1) await service.clock.advance(500);
  assert.equal(hook.received.length, 0);
  await service.clock.jump(30_000);
  await pushAll(service);
  assert.equal(hook.received.length, 1);
});

test('after an error of the database an event is pushed again within seconds', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  const startedAtMs = service.clock.now();
  await service.sql(hideTable('webhook_attempts'));
  try {
    await placeOrders(organization, 1);
    // Its result is not written.
    await pushUntil(service, () => hook.received.length === 2, 'it was pushed again');
    assert.ok(service.clock.now() - startedAtMs <= 10_000);
  } finally {
    await service.sql(showTable('webhook_attempts'));
  }
  await pushUntil(service, async () => (await deliveriesOf(endpointId)).length === 1, 'the result was written');
});
