import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { type PostgresProxy, startProxy } from '../../reliability/proxy/start-proxy.ts';
import { createService, type Service } from '../src/service.ts';
import { createApiClient, emailGift } from './harness/api-client.ts';
import { until } from './harness/server-process.ts';
import { LINK_SECRET, startTestService, type TestService, testConfig } from './harness/test-service.ts';

/** On PostgreSQL itself; the one that is tested reaches it through the proxy. */
let direct: TestService;
let proxy: PostgresProxy;
let proxied: Service;
let url: string;
before(async () => {
  direct = await startTestService();
  proxy = await startProxy(direct.target);
  const log = pino({ level: 'silent' });
  const surroundings = { target: proxy.target, clock: direct.clock, log, linkSecrets: [LINK_SECRET] };
  proxied = await createService(testConfig(), surroundings);
  url = await proxied.listen();
});
after(async () => {
  await proxied.close();
  await proxy.close();
  await direct.close();
});

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
