import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift } from '../../harness/api-client.ts';
import { countPending } from '../../harness/deliveries.ts';
import { startMailServer, workUntil } from '../../harness/mail-server.ts';
import { type Samples, scrape } from '../../harness/metrics-text.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { assertRefused, exchange } from '../../harness/raw-http.ts';
import { unlessHung, until } from '../../harness/server-process.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';
import { addTestEndpoint, LOCAL_PUSHES, placeOrders, pushAll } from '../../harness/webhooks.ts';

const METRICS = { METRICS_PORT: '0' };
const PRODUCTION = { NODE_ENV: 'production', ALLOW_SIMULATED_LIVE: '1', PUBLIC_URL: 'https://gifts.example.com' };

const addressOf = ({ service }: Pick<TestService, 'service'>) => service.metricsAddress() ?? assert.fail('no metrics');

/** What the database says of messages, and whether it says anything. */
const ours = (samples: Samples) => only(samples, /^bestow_(?:messages_waiting|database_up)\b/);

const only = (samples: Samples, pattern: RegExp) =>
  Object.fromEntries(Object.entries(samples).filter(([name]) => pattern.test(name)));

const EMAILS_WITHOUT_PROVIDER = 'bestow_messages_waiting{channel="email",reason="no_provider"}';

const waiting = (email: [reason: string, count: number], phone: [reason: string, count: number]) => ({
  bestow_database_up: 1,
  [`bestow_messages_waiting{channel="email",reason="${email[0]}"}`]: email[1],
  [`bestow_messages_waiting{channel="phone",reason="${phone[0]}"}`]: phone[1],
});

const service = openForFile(() => startTestService(METRICS));
const production = openForFile(() => startTestService({ ...PRODUCTION, ...METRICS }));

const giftTo = (email: string) => gift({ delivery: { method: 'email', email } });
const textGift = gift({ delivery: { method: 'phone', phone: '+12025550142' } });

test('counts messages that wait for settings until they are sent', async (t) => {
  const { live, sandbox } = await production.organization();
  assert.deepEqual(ours(await scrape(addressOf(production))), waiting(['no_provider', 0], ['no_provider', 0]));
  assert.equal((await live.order([giftTo('ada@example.com'), giftTo('bob@example.com'), textGift])).status, 201);
  assert.equal((await sandbox.order([giftTo('someone@example.com')])).status, 201);
  assert.deepEqual(ours(await scrape(addressOf(production))), waiting(['no_provider', 2], ['no_provider', 1]));

  const mail = await startMailServer();
  t.after(() => mail.close());
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' };
  const restarted = await production.second(settings);
  const emailsSent = async () => (await countPending(production)) === 1;
  await workUntil(production, emailsSent, 'the emails are sent');
  assert.deepEqual(ours(await scrape(addressOf(restarted))), waiting(['pending', 0], ['no_provider', 1]));
  assert.deepEqual(mail.received.flatMap(({ to }) => to).sort(), ['ada@example.com', 'bob@example.com']);
  await restarted.close();
});

test('does not count messages replaced by a renewed link', async () => {
  const { live } = await production.organization();
  const count = async () => (await scrape(addressOf(production)))[EMAILS_WITHOUT_PROVIDER] ?? assert.fail();
  const [pendingBefore, countedBefore] = [await countPending(production), await count()];
  const { body } = await live.order([giftTo('ada@example.com')]);
  await production.sql(
    `with fresh as (
       insert into deliveries
       select (jsonb_populate_record(d, '{"delivery_id": "01900000-0000-7000-8000-000000000000"}')).*
       from deliveries d where gift_id = $1
       returning gift_id, delivery_id
     )
     update gifts g set delivery_id = f.delivery_id from fresh f where g.gift_id = f.gift_id`,
    [decodeId('gift', body.gifts[0].gift_id)],
  );
  assert.equal(await countPending(production), pendingBefore + 2);
  assert.equal(await count(), countedBefore + 1);
});

test('counts requests by route and status, and orders by outcome', async () => {
  const fresh = await service.second(METRICS);
  const { keys } = await fresh.organization();
  const api = fresh.api(keys.sandbox);
  const { body } = await api.order([textGift], 'counted');
  assert.equal((await api.order([textGift], 'counted')).status, 200);
  assert.equal((await api.order([gift({ amount: 1 })])).status, 422);
  for (let n = 0; n < 3; n += 1) await api.get(`/v1/gifts/${body.gifts[0].gift_id}`);
  assert.equal((await fetch(`${fresh.url}/nothing/here`)).status, 404);
  const samples = await scrape(addressOf(fresh));
  const counted = only(samples, /^bestow_(?:orders_total|http_requests_total|order_batch_size_count)/);
  assert.deepEqual(Object.fromEntries(Object.entries(counted).filter(([, count]) => count > 0)), {
    'bestow_orders_total{outcome="placed"}': 1,
    'bestow_orders_total{outcome="replayed"}': 1,
    'bestow_orders_total{outcome="parameter_invalid"}': 1,
    'bestow_http_requests_total{method="POST",route="/v1/orders",status="201"}': 1,
    'bestow_http_requests_total{method="POST",route="/v1/orders",status="200"}': 1,
    'bestow_http_requests_total{method="POST",route="/v1/orders",status="422"}': 1,
    'bestow_http_requests_total{method="GET",route="/v1/gifts/:gift_id",status="200"}': 3,
    'bestow_http_requests_total{method="GET",route="none",status="404"}': 1,
    bestow_order_batch_size_count: 2,
  });
  assert.equal(samples['bestow_http_request_duration_seconds_count{method="POST",route="/v1/orders"}'], 3);
  assert.equal(samples['bestow_database_connections{pool="placement",state="waiting"}'], 0);
  assert.equal(samples['bestow_database_connections{pool="placement",state="idle"}'], 1);
  await fresh.close();
});

test('counts attempts to send by channel and outcome', async (t) => {
  const mail = await startMailServer();
  t.after(() => mail.close());
  const sending = await production.second({ ...METRICS, SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' });
  const { live } = await sending.organization();
  await live.order([giftTo('ada@example.com')]);
  const accepted = async () =>
    (await scrape(addressOf(sending)))['bestow_deliveries_total{channel="email",outcome="accepted"}'] ?? 0;
  await workUntil(sending, async () => mail.received.some(({ to }) => to.includes('ada@example.com')), 'it is sent');
  // Counted a moment later: the server's answer must be read first.
  await until(async () => (await accepted()) >= 1, 'it is counted');
  await sending.close();
});

test('counters that alerts watch exist before the first event', async () => {
  const fresh = await service.second(METRICS);
  const samples = await scrape(addressOf(fresh));
  for (const name of [
    'bestow_orders_total{outcome="database_unavailable"}',
    'bestow_http_requests_total{method="POST",route="/v1/orders",status="500"}',
    'bestow_http_requests_total{method="GET",route="/v1/gifts/:gift_id",status="429"}',
    'bestow_deliveries_total{channel="email",outcome="tried_again"}',
    'bestow_deliveries_total{channel="notice",outcome="account_refused"}',
    'bestow_webhook_pushes_total{outcome="failed"}',
    'bestow_provider_events_total{provider="stripe",outcome="refused"}',
  ])
    assert.equal(samples[name], 0, name);
  await fresh.close();
});

test('an outage of mail shows in the age of the oldest unsent message and in failed tries', async (t) => {
  const mail = await startMailServer();
  t.after(() => mail.close());
  mail.answer(() => ({ code: 451, text: '4.3.0 Out of order' }));
  const sending = await startTestService({ ...METRICS, SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' });
  t.after(() => sending.close());
  const measure = async () => {
    const samples = await scrape(addressOf(sending));
    const [email = Number.NaN, notice = Number.NaN] = ['email', 'notice'].map(
      (channel) => samples[`bestow_oldest_message_seconds{channel="${channel}"}`],
    );
    const tried = samples['bestow_deliveries_total{channel="notice",outcome="tried_again"}'] ?? 0;
    return { email, notice, due: samples['bestow_oldest_job_due_seconds{queue="send-email"}'] ?? 0, tried };
  };
  const { live } = await sending.organization();
  assert.deepEqual(await measure(), { email: 0, notice: 0, due: 0, tried: 0 });
  await live.order([giftTo('ada@example.com')]);
  const member = await createPortalClient(sending, null);
  const asked = { email: 'admin@example.com', type: 'sign-in' };
  assert.equal((await member.call('POST', '/auth/email-otp/send-verification-otp', asked)).status, 200);
  await workUntil(sending, async () => mail.tried.length >= 6, 'several tries');
  await sending.clock.jump(540_000);
  await workUntil(sending, async () => (await measure()).due < 300, 'tried again');
  const { email, notice, tried } = await measure();
  assert.ok(email > 540 && notice > 540 && tried > 0, `${email} s, ${notice} s, ${tried} tries`);
  mail.answer(() => 'accept');
  await sending.clock.jump(3_600_000);
  await workUntil(sending, async () => (await measure()).email === 0, 'sent');
});

test('counts due jobs and the oldest one’s age, without waits for a provider', async (t) => {
  const idle = await startTestService(METRICS);
  t.after(() => idle.close());
  // Its workers have looked once, so that they find nothing before the time passes.
  await idle.clock.advance(0);
  const { live } = await idle.organization();
  await live.order([textGift]);
  await idle.clock.jump(90_000);
  const samples = await scrape(addressOf(idle));
  assert.equal(samples['bestow_jobs_due{queue="send-phone"}'], 1);
  const ageSeconds = samples['bestow_oldest_job_due_seconds{queue="send-phone"}'] ?? assert.fail('no age');
  assert.ok(ageSeconds >= 90 && ageSeconds < 120, `${ageSeconds} s`);
  assert.equal(samples['bestow_jobs_due{queue="send-email"}'], 0);
  assert.equal(samples['bestow_oldest_job_due_seconds{queue="send-email"}'], 0);
  const without = await scrape(addressOf(await idle.second(PRODUCTION)));
  assert.equal(without['bestow_jobs_due{queue="send-phone"}'], 1);
  assert.deepEqual(Object.keys(only(without, /^bestow_oldest_job_due_seconds/)).sort(), [
    'bestow_oldest_job_due_seconds{queue="batch"}',
    'bestow_oldest_job_due_seconds{queue="batch-sandbox"}',
    'bestow_oldest_job_due_seconds{queue="complete-order"}',
    'bestow_oldest_job_due_seconds{queue="every-minute"}',
    'bestow_oldest_job_due_seconds{queue="finish-claim"}',
    'bestow_oldest_job_due_seconds{queue="issuer-event"}',
  ]);
});

test('shows the age of the oldest push, without endpoints that fail', async () => {
  const hook = await startWebhookReceiver();
  const pushing = await startTestService({ ...METRICS, ...LOCAL_PUSHES });
  const age = async () => (await scrape(addressOf(pushing)))['bestow_oldest_push_due_seconds'];
  const organization = await pushing.organization();
  const { endpointId } = await addTestEndpoint(pushing, organization, hook.url);
  await placeOrders(organization, 1);
  const atMs = pushing.clock.now();
  // Another process has the endpoint and does nothing.
  await pushing.sql('update webhook_endpoints set lease_id = gen_random_uuid(), leased_until = $1', [
    new Date(atMs + 120_000),
  ]);
  await pushing.clock.jump(90_000);
  const ageSeconds = (await age()) ?? assert.fail('no age');
  assert.ok(ageSeconds >= 90 && ageSeconds < 120, `${ageSeconds} s`);
  await pushing.sql('update webhook_endpoints set probe_at = $1', [new Date(atMs + 600_000)]);
  assert.equal(await age(), 0);
  await pushing.sql('update webhook_endpoints set probe_at = null where endpoint_id = $1', [endpointId]);
  await pushing.clock.jump(60_000);
  await pushAll(pushing);
  assert.equal(await age(), 0);
  assert.equal(hook.received.length, 1);
  await pushing.close();
  await hook.close();
});

test('sums what live balances hold, without sandboxes', async () => {
  const cents = async () => (await scrape(addressOf(service)))['bestow_live_balances_cents'] ?? assert.fail();
  const before = await cents();
  const { live } = await service.organization({ live: 5_000, sandbox: 90_000 });
  assert.equal(await cents(), before + 5_000);
  assert.equal((await live.order([gift({ amount: 1_000 })])).status, 201);
  assert.equal(await cents(), before + 4_000);
});

test('only GET /metrics is on the metrics’ port, and the public port has none', async () => {
  const address = addressOf(service);
  assert.match(address, /^http:\/\/localhost:\d+\/metrics$/);
  assert.notEqual(new URL(address).port, new URL(service.url).port);
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/metrics/'],
    ['GET', '/v1/health'],
    ['POST', '/metrics'],
    ['HEAD', '/metrics'],
  ] as const) {
    const response = await fetch(new URL(path, address), { method });
    assert.equal(response.status, 404, `${method} ${path}`);
    assert.equal(await response.text(), method === 'HEAD' ? '' : 'Not found. Use GET /metrics.\n');
  }
  assert.equal((await fetch(`${address}?query=1`)).status, 200);
  assertRefused(await exchange(service.url, 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'), 'resource_missing');
});

test('only this machine reads metrics unless METRICS_HOST says otherwise', async () => {
  for (const [variables, isReached] of [
    [{}, false],
    [{ METRICS_HOST: '0.0.0.0' }, true],
  ] as const) {
    const open = await service.second({ ...METRICS, HOST: '0.0.0.0', ...variables });
    const { port } = new URL(addressOf(open));
    const isAnswered = await fetch(`http://127.0.0.2:${port}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    );
    assert.equal(isAnswered, isReached);
    await open.close();
  }
});

test('without METRICS_PORT there are no metrics', async () => {
  const without = await service.second({ METRICS_PORT: '' });
  assert.equal(without.service.metricsAddress(), undefined);
  await without.close();
});

test('without the database, a scrape reports it and the metrics of the process', async () => {
  const { database } = service.target;
  const before = ours(await scrape(addressOf(service)));
  assert.equal(before['bestow_database_up'], 1);
  const allow = (isAllowed: boolean) =>
    production.sql(`alter database ${database} with allow_connections ${isAllowed}`);
  await allow(false);
  const ofProcess = ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds'];
  for (const samples of await Promise.all(Array.from({ length: 20 }, () => scrape(addressOf(service))))) {
    assert.deepEqual(ours(samples), { bestow_database_up: 0 });
    for (const name of ofProcess) assert.ok(Number.isFinite(samples[name]), name);
  }
  await allow(true);
  assert.deepEqual(ours(await scrape(addressOf(service))), before);
});

test('a scrape is answered while the database hangs', async () => {
  await service.sql('begin');
  await service.sql('lock table deliveries in access exclusive mode');
  const scraped = unlessHung(scrape(addressOf(service)), 'the scrape is answered');
  assert.deepEqual(ours(await scraped), { bestow_database_up: 0 });
  await service.sql('rollback');
});
