import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'node:test';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../harness/webhook-receiver.ts';
import { LOCAL_PUSHES, placeOrders, pushAll } from '../../harness/webhooks.ts';

const PATH = '/v1/webhook_endpoints';
const HOUR_MS = 3_600_000;
const service = openForFile(() => startTestService(LOCAL_PUSHES));
let hook: WebhookReceiver | undefined;
afterEach(async () => {
  await hook?.close();
  hook = undefined;
  await service.sql('delete from webhook_endpoints');
});

const patch = ({ sandbox }: TestOrganization, id: string, body: unknown) =>
  sandbox.request('PATCH', `${PATH}/${id}`, { body });

test('an endpoint is added, read, changed and removed', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const added = await sandbox.post(PATH, { url: 'https://shop.example', description: 'The shop', ordered: true });
  assert.equal(added.status, 201);
  const { secret, ...endpoint } = added.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(endpoint, {
    endpoint_id: endpoint.endpoint_id,
    url: 'https://shop.example/',
    description: 'The shop',
    types: null,
    ordered: true,
    status: 'enabled',
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    paused_until: null,
    sequence: endpoint.sequence,
    previous_secret_until: null,
    created_at: new Date(service.clock.now()).toISOString(),
  });
  assert.deepEqual((await sandbox.get(`${PATH}/${endpoint.endpoint_id}`)).body, endpoint);
  assert.deepEqual((await sandbox.get(PATH)).body, { object: 'list', data: [endpoint], has_more: false });
  const changes = { types: ['gift.claimed', 'gift.expired'], description: null, ordered: false };
  const changed = await patch(organization, endpoint.endpoint_id, changes);
  assert.deepEqual(changed.body, { ...endpoint, ...changes });
  const all = await patch(organization, endpoint.endpoint_id, { types: null });
  assert.equal(all.body.types, null);
  const removed = await sandbox.request('DELETE', `${PATH}/${endpoint.endpoint_id}`);
  assert.deepEqual(removed.body, { endpoint_id: endpoint.endpoint_id, deleted: true });
  assertRefused(await sandbox.get(`${PATH}/${endpoint.endpoint_id}`), 'resource_missing');
});

test('refuses addresses that events may not go to', async () => {
  const { live, sandbox } = await service.organization();
  const refused = [
    'shop.example',
    'ftp://shop.example/',
    'https:shop.example',
    'https://user:password@shop.example/',
    'https://shop.example/#a',
    'https://shop.example:22/',
    'https://10.0.0.1/',
    'https://0x7f.1.0.0x100/',
    'https://[::1]/',
    'https://[fd00::1]/',
  ];
  for (const url of refused) {
    assertRefused(await live.post(PATH, { url }), 'parameter_invalid', 'url');
  }
  assertRefused(await live.post(PATH, { url: 'http://127.0.0.1:4242/' }), 'parameter_invalid', 'url');
  assert.equal((await sandbox.post(PATH, { url: 'http://127.0.0.1:4242/' })).status, 201);
  const unknownType = await sandbox.post(PATH, { url: 'https://shop.example/', types: ['gift.lost'] });
  assert.equal(unknownType.body.error.param, 'types');
});

test('a retry with the same key answers with the same endpoint and secret', async () => {
  const { sandbox } = await service.organization();
  const key = { 'Idempotency-Key': 'add once' };
  const first = await sandbox.post(PATH, { url: 'https://shop.example/' }, key);
  const second = await sandbox.post(PATH, { url: 'https://shop.example/' }, key);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.equal((await sandbox.get(PATH)).body.data.length, 1);
  assertRefused(await sandbox.post(PATH, { url: 'https://other.example/' }, key), 'idempotency_key_reused');
  const path = `${PATH}/${first.body.endpoint_id}/rotate_secret`;
  const rotated = await sandbox.post(path, {}, { 'Idempotency-Key': 'rotate once' });
  assert.deepEqual((await sandbox.post(path, {}, { 'Idempotency-Key': 'rotate once' })).body, rotated.body);
  assert.notEqual(rotated.body.secret, first.body.secret);
});

test('fifty simultaneous requests add ten endpoints', async () => {
  const { sandbox } = await service.organization();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => sandbox.post(PATH, { url: 'https://shop.example/' })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 'webhook_endpoint_limit_reached');
});

test('a rotation signs with both secrets until the overlap ends', async () => {
  hook = await startWebhookReceiver();
  const organization = await service.organization();
  const { sandbox } = organization;
  const { endpoint_id } = (await sandbox.post(PATH, { url: hook.url, types: ['order.created'] })).body;
  const rotated = await sandbox.post(`${PATH}/${endpoint_id}/rotate_secret`, { overlap_hours: 2 });
  assert.equal(rotated.body.previous_secret_until, new Date(service.clock.now() + 7_200_000).toISOString());
  await placeOrders(organization, 1);
  await pushAll(service);
  await service.clock.jump(7_200_000);
  await placeOrders(organization, 1);
  await pushAll(service);
  const counts = hook.received.map(({ signature }) => signature.split(' ').length);
  assert.deepEqual(counts, [2, 1]);
});

const assertNear = (time: string, ms: number) => assert.ok(Math.abs(Date.parse(time) - ms) < 60_000, time);

test('each rotation keeps its time, at most five secrets sign, and an overlap of 0 ends all earlier ones', async () => {
  hook = await startWebhookReceiver();
  const { received, url } = hook;
  const { sandbox } = await service.organization();
  const { endpoint_id } = (await sandbox.post(PATH, { url })).body;
  const path = `${PATH}/${endpoint_id}`;
  const rotate = (overlap_hours?: number) => sandbox.post(`${path}/rotate_secret`, { overlap_hours });
  const signatures = async () => {
    assert.equal((await sandbox.post(`${path}/test`)).body.accepted, true);
    return received.at(-1)?.signature.split(' ').length;
  };
  const startedAtMs = service.clock.now();
  for (const hours of [3, 10, 1, 24]) assert.equal((await rotate(hours)).status, 200);
  assert.equal(await signatures(), 5);
  const refused = await rotate();
  assertRefused(refused, 'parameter_invalid', 'overlap_hours');
  const [, first = ''] = /Wait until (\S+),/.exec(refused.body.error.message) ?? [];
  assertNear(first, startedAtMs + HOUR_MS);
  for (const [hours, count] of [
    [1, 4],
    [3, 3],
    [10, 2],
    [24, 1],
  ] as const) {
    await service.clock.jump(startedAtMs + hours * HOUR_MS + 60_000 - service.clock.now());
    assert.equal(await signatures(), count, `after ${hours} hours`);
  }
  for (const hours of [48, 1, 1, 1]) assert.equal((await rotate(hours)).status, 200);
  assertNear((await sandbox.get(path)).body.previous_secret_until, service.clock.now() + 48 * HOUR_MS);
  assert.equal((await rotate(0)).status, 200);
  assert.equal(await signatures(), 1);
});

test('twenty rotations at once leave five secrets', async () => {
  const { sandbox } = await service.organization();
  const { endpoint_id } = (await sandbox.post(PATH, { url: 'https://shop.example/' })).body;
  const path = `${PATH}/${endpoint_id}/rotate_secret`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.post(path)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 4);
});

test('a try shows the answer and is not an event of the feed', async () => {
  hook = await startWebhookReceiver();
  hook.reply = () => ({ status: 418, body: 'short and stout' });
  const { sandbox } = await service.organization();
  const { endpoint_id } = (await sandbox.post(PATH, { url: hook.url })).body;
  const { body } = await sandbox.post(`${PATH}/${endpoint_id}/test`);
  assert.deepEqual(body, {
    status: 418,
    failure_reason: 'The answer was 418.',
    body: 'short and stout',
    duration_ms: body.duration_ms,
    accepted: false,
  });
  assert.equal(hook.received[0]?.body.type, 'webhook.test');
  assert.deepEqual((await sandbox.get(`${PATH}/${endpoint_id}/deliveries`)).body.data, []);
});

test('deliveries are listed by pages, and are sent again one by one or many', async () => {
  hook = await startWebhookReceiver();
  const organization = await service.organization();
  const { sandbox } = organization;
  const { endpoint_id } = (await sandbox.post(PATH, { url: hook.url, types: ['order.created'] })).body;
  await placeOrders(organization, 5);
  await pushAll(service);
  const path = `${PATH}/${endpoint_id}`;
  const first = (await sandbox.get(`${path}/deliveries?limit=3`)).body;
  assert.equal(first.data.length, 3);
  assert.equal(first.has_more, true);
  const second = (await sandbox.get(`${path}/deliveries?limit=3&starting_after=${first.data[2].event_id}`)).body;
  assert.equal(second.data.length, 2);
  assert.equal(second.has_more, false);
  const sequences = [...first.data, ...second.data].map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => b - a),
  );
  const back = (await sandbox.get(`${path}/deliveries?limit=1&ending_before=${first.data[2].event_id}`)).body;
  assert.equal(back.data[0].event_id, first.data[1].event_id);
  const [{ attempts, ...delivery }] = second.data;
  assert.deepEqual(Object.keys(delivery), [
    'event_id',
    'type',
    'sequence',
    'previous_sequence',
    'status',
    'next_attempt_at',
    'created_at',
  ]);
  assert.equal(delivery.status, 'delivered');
  assert.deepEqual(Object.keys(attempts[0]), ['attempted_at', 'status', 'failure_reason', 'body', 'duration_ms']);
  assertRefused(
    await sandbox.get(`${path}/deliveries?starting_after=${encodeId('evt', randomUUID())}`),
    'cursor_invalid',
    'starting_after',
  );

  const resent = await sandbox.post(`${path}/deliveries/${delivery.event_id}/resend`);
  assert.deepEqual(resent.body, { resent: 1 });
  await pushAll(service);
  assert.deepEqual(
    hook.received.slice(5).map(({ id }) => id),
    [delivery.event_id],
  );
  const since = { from: new Date(service.clock.now() - 3_600_000).toISOString() };
  assert.deepEqual((await sandbox.post(`${path}/resend`, since)).body, { resent: 5 });
  await pushAll(service);
  assert.equal(hook.received.length, 11);
  assert.deepEqual((await sandbox.post(`${path}/resend`, { failed: true })).body, { resent: 0 });
  assertRefused(await sandbox.post(`${path}/resend`, { ...since, failed: true }), 'parameter_invalid', 'failed');
});

test('deliveries are sent again from a time that exists, in any zone', async () => {
  const { sandbox } = await service.organization();
  const { endpoint_id } = (await sandbox.post(PATH, { url: 'https://shop.example' })).body;
  const path = `${PATH}/${endpoint_id}/resend`;
  for (const from of ['2026-02-28T00:00:00Z', '2024-02-29T12:00:00.123456789+05:30', '0000-01-01T00:00:00-23:59'])
    assert.deepEqual((await sandbox.post(path, { from })).body, { resent: 0 }, from);
  for (const from of ['2026-02-29T00:00:00Z', '2026-02-31T00:00:00+01:00', '2026-13-01T00:00:00Z', '2026-02-28T00:00Z'])
    assertRefused(await sandbox.post(path, { from }), 'parameter_invalid', 'from');
});

test('a reset of the sandbox is pushed, and endpoints stay', async () => {
  hook = await startWebhookReceiver();
  const organization = await service.organization();
  const { sandbox } = organization;
  const { endpoint_id } = (await sandbox.post(PATH, { url: hook.url })).body;
  await placeOrders(organization, 3);
  await sandbox.post('/v1/sandbox/reset');
  await pushAll(service);
  const types = hook.received.map(({ body }) => body.type);
  assert.equal(types.at(-1), 'sandbox.reset');
  assert.equal(hook.received.at(-1)?.body.previous_sequence, null);
  assert.equal((await sandbox.get(`${PATH}/${endpoint_id}`)).body.status, 'enabled');
});
