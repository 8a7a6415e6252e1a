import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openProxiedInstallation } from '../../../reliability/faults/database-faults.ts';
import { randomFrom } from '../../../reliability/faults/random.ts';
import { createApiClient, emailGift } from '../harness/api-client.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { startProxiedService } from '../harness/proxied-service.ts';
import { until } from '../harness/server-process.ts';

const { direct, proxy, proxied, url, close } = await startProxiedService();
after(close);

const isSomebodyWaiting = async () =>
  (await direct.sql(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
    .length > 0;

const GIVEN_UP_WITHIN_MS = 20_000;
const redirected = { method: 'email', email: 'delivered@sandbox.gift.test' };

// Quality I4. A statement's own time limit is PostgreSQL's, which nobody hears of while nothing passes.
test('a change under way when the network stops is given up in seconds, and nothing of it is there', {
  timeout: 60_000,
}, async (t) => {
  t.after(() => proxy.stall(false));
  const { keys } = await direct.organization();
  const api = createApiClient(url, keys.sandbox);
  const { body: order } = await api.order([emailGift('delivery-failed')], 'before');
  const { gift_id: giftId } = order.gifts[0];
  const before = (await api.get(`/v1/gifts/${giftId}`)).body;
  await direct.sql('begin');
  await direct.sql('select from gifts for update');
  const startedAtMs = performance.now();
  const sent = api.put(`/v1/gifts/${giftId}/delivery`, redirected);
  await until(isSomebodyWaiting, 'the redirect waits for the gift');
  proxy.stall(true);
  await direct.sql('rollback');
  const { status, body } = await sent;
  assert.ok(performance.now() - startedAtMs < GIVEN_UP_WITHIN_MS);
  assert.equal(status, 500);
  assert.equal(body.error.code, 'internal_error');
  proxy.stall(false);
  assert.deepEqual((await api.get(`/v1/gifts/${giftId}`)).body, before);
  assert.equal((await api.put(`/v1/gifts/${giftId}/delivery`, redirected)).status, 200);
});

test('a read of the portal is given up too, whether its session or what it shows cannot be read', {
  timeout: 60_000,
}, async (t) => {
  t.after(() => proxy.stall(false));
  const organization = await direct.organization();
  const person = (await createPortalClient(direct, 'admin@example.com')).at(url);
  const { order_id: orderId } = (await organization.sandbox.order([emailGift('delivered')])).body;
  const path = `/organizations/${organization.organizationId}/sandbox/orders/${orderId}`;
  const before = await person.call('GET', path);
  assert.equal(before.status, 200, JSON.stringify(before.body));
  const startedAtMs = performance.now();
  proxy.stall(true);
  const single = proxied.deps.database.pool.query({ text: 'select 1' });
  const [{ status, body }] = await Promise.all([person.call('GET', path), assert.rejects(single, /timeout/)]);
  assert.ok(performance.now() - startedAtMs < GIVEN_UP_WITHIN_MS);
  assert.deepEqual([status, body.error.code], [500, 'internal_error']);
  proxy.stall(false);
  assert.deepEqual((await person.call('GET', path)).body, before.body);
});

// As where the machine of PostgreSQL is gone: nobody ends its connections, and another answers in its place.
test('a portal whose connection went silent for good goes on with a new one', { timeout: 60_000 }, async (t) => {
  t.after(() => proxy.cutAll());
  await direct.organization();
  const person = (await createPortalClient(direct, 'admin@example.com')).at(url);
  const sessions = async () => (await person.call('GET', '/sessions')).status;
  assert.equal(await sessions(), 200);
  proxy.strand();
  assert.equal(await sessions(), 500);
  assert.equal(await sessions(), 200);
});

test('a processing order is completed within a minute after every connection went silent for good', {
  timeout: 120_000,
}, async (t) => {
  const behind = await openProxiedInstallation({
    random: randomFrom(1),
    organizations: [{ environments: ['sandbox'] }],
  });
  t.after(behind.close);
  const { url: address } = await behind.startServer();
  const api = createApiClient(address, behind.installation.organizations[0]?.key);
  assert.equal((await api.order([emailGift('processing')], 'silent')).status, 201);
  behind.proxy.strand();
  assert.ok(await behind.installation.settle(60_000));
});
