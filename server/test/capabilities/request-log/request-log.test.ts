import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../src/capabilities/request-log/portal-schema.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import type { ErrorCode } from '../../../src/platform/base/errors.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { type Answer, type ApiClient, assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { readLog, untilLogged } from '../../harness/request-log.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The request log of the last seven days.

const service = openForFile(() => startTestService());

/** The UUID of the organization's live key. */
async function liveKeyId({ organizationUuid }: TestOrganization): Promise<string | undefined> {
  const text = "select key_id from api_keys where organization_id = $1 and environment = 'live'";
  return (await service.sql<{ key_id: string }>(text, [organizationUuid]))[0]?.key_id;
}

interface Expected {
  method?: string;
  path: string;
  status: number;
  error_code?: ErrorCode;
  error_param?: string;
  body?: string;
  body_bytes?: number;
}

const order = (more: Record<string, unknown>) => JSON.stringify({ gifts: [gift(more)] });
const linkOrder = JSON.stringify({ gifts: [linkGift()] });
const GIFT = 'gift_01k0fxw4mzejhtt6k1sqh3p5cg';

/** An order's outcome in the log; the key is its idempotency key. */
const orders: [what: string, key: string, body: string, Omit<Expected, 'path'>][] = [
  ['an order that is placed', 'the same', linkOrder, { status: 201, body: linkOrder }],
  ['its replay', 'the same', linkOrder, { status: 200, body: linkOrder }],
  [
    'an order with a person in it',
    'personal',
    order({
      delivery: { method: 'phone', phone: '+1 (202) 555-0142' },
      personalization: { recipient_name: 'Ada Lovelace' },
    }),
    {
      status: 201,
      body: order({
        delivery: { method: 'phone', phone: '+1••••••0142' },
        personalization: { recipient_name: 'A•••' },
      }),
    },
  ],
  [
    'an order that costs too much',
    'costly',
    order({ amount: 50_000, delivery: { method: 'email', email: 'ada@example.com' } }),
    {
      status: 402,
      error_code: 'insufficient_balance',
      body: order({ amount: 50_000, delivery: { method: 'email', email: 'a•••@example.com' } }),
    },
  ],
  [
    'an order with a field of a wrong name',
    'wrong',
    order({ delivery: { method: 'email', 'ada@example.com': 'Ada Lovelace' } }),
    {
      status: 422,
      error_code: 'parameter_invalid',
      error_param: 'gifts[0].delivery.email',
      body: order({ delivery: { method: 'email', 'a•••@example.com': 'A•••' } }),
    },
  ],
  [
    'an unknown field that is an address',
    'unknown',
    '{"gifts":[],"ada@example.com":1}',
    { status: 422, error_code: 'parameter_invalid', error_param: 'gifts', body: '{"gifts":[],"a•••@example.com":1}' },
  ],
  [
    'a body that is not JSON',
    'broken',
    '{"email": ada@example.com}',
    { status: 400, error_code: 'request_body_invalid' },
  ],
  ['a body over 1 MB', 'large', 'x'.repeat(1_100_000), { status: 413, error_code: 'request_body_too_large' }],
];

const reads: [what: string, url: string, Omit<Expected, 'path'>, path?: string][] = [
  ['an id that names nothing', `/v1/gifts/${GIFT}`, { status: 404, error_code: 'resource_missing' }],
  [
    'an address where an id belongs',
    '/v1/gifts/ada%40example.com',
    { status: 404, error_code: 'resource_missing' },
    '/v1/gifts/a•••@example.com',
  ],
  [
    'a list that is refused',
    '/v1/orders?limit=5&starting_after=',
    { status: 422, error_code: 'parameter_invalid', error_param: 'starting_after' },
  ],
  ['a list that is shown', '/v1/gifts?limit=5', { status: 200 }],
];

interface Call {
  what: string;
  send(client: ApiClient): Promise<Answer>;
  expected: Expected;
}

const calls: Call[] = [
  ...orders.map(
    ([what, key, body, more]): Call => ({
      what,
      send: (client) => client.post('/v1/orders', body, { 'Idempotency-Key': key }),
      expected: { method: 'POST', path: '/v1/orders', body_bytes: Buffer.byteLength(body), ...more },
    }),
  ),
  ...reads.map(
    ([what, url, more, path = url]): Call => ({
      what,
      send: (client) => client.get(url),
      expected: { path, ...more },
    }),
  ),
  {
    what: 'an operation of the sandbox with a live key',
    send: (client) => client.post('/v1/sandbox/reset'),
    expected: { method: 'POST', path: '/v1/sandbox/reset', status: 403, error_code: 'sandbox_endpoint_only' },
  },
];

test('logs each request with a key, with outcome, id and masked body', async () => {
  const organization = await service.organization({ live: 10_000 });
  const key_id = encodeId('key', (await liveKeyId(organization)) ?? '');
  const answers: Answer[] = [];
  const startedAtMs = performance.now();
  for (const { send } of calls) answers.push(await send(organization.live));
  const elapsedMs = performance.now() - startedAtMs;
  await untilLogged(service, organization, 'live', calls.length);
  const logged = (await readLog(service, organization, 'live')).reverse();
  for (const [index, { what, expected }] of calls.entries()) {
    const answer = answers[index];
    const entry = logged[index];
    assert.equal(answer?.status, expected.status, what);
    const { created_at, duration_ms, answer: shown, answer_bytes, ...rest } = entry as LoggedRequest;
    assert.equal(answer_bytes, Buffer.byteLength(JSON.stringify(answer.body)), what);
    if (expected.status >= 300) assert.equal(shown, null, what);
    else assert.deepEqual(Object.keys(JSON.parse(shown ?? '')), Object.keys(answer.body), what);
    if (answer.body.order_id !== undefined)
      assert.deepEqual(JSON.parse(shown ?? '').gifts[0].gift_id, answer.body.gifts[0].gift_id, what);
    assert.deepEqual(
      rest,
      {
        method: 'GET',
        error_code: null,
        error_param: null,
        body: null,
        body_bytes: null,
        ...expected,
        error_message: answer?.body.error?.message ?? null,
        request_id: answer?.headers.get('request-id'),
        client_address: '127.0.0.1',
        tool: null,
        client: null,
        key_id,
      },
      what,
    );
    assert.ok(duration_ms > 0 && duration_ms <= elapsedMs, `${duration_ms} of ${elapsedMs} ms`);
    assert.ok(Math.abs(created_at.getTime() - service.clock.now()) < 60_000, created_at.toISOString());
  }
  assert.equal(logged.length, calls.length);
});

test('no row contains a key or a full address', async () => {
  const organization = await service.organization({ live: 10_000 });
  const key = organization.keys.live;
  const secret = JSON.stringify({ gifts: [{ [key]: key, to: 'ada@example.com', tel: '+12025550142' }], key });
  for (const { send } of calls) await send(organization.live);
  await organization.live.post(`/v1/orders?api_key=${key}&${key}`, secret, { 'Idempotency-Key': key });
  await organization.live.get(`/v1/gifts/${key}`);
  await untilLogged(service, organization, 'live', calls.length + 2);
  const rows = await service.sql<{ row: string }>('select l::text as row from request_log l');
  const dump = rows.map(({ row }) => row).join('\n');
  assert.ok(dump.includes('a•••@example.com') && dump.includes('••••••0142'));
  for (const word of [key.slice(8, 30), 'ada@', 'ada%40', 'Ada', 'ovelace', '555-0142', '2025550142'])
    assert.ok(!dump.includes(word), word);
});

test('keeps the sandbox’s steering addresses readable', async () => {
  const organization = await service.organization();
  await organization.sandbox.order([emailGift('bounced+one')]);
  await untilLogged(service, organization, 'sandbox', 1);
  const [entry] = await readLog(service, organization, 'sandbox');
  assert.equal(entry?.body, JSON.stringify({ gifts: [emailGift('bounced+one')] }));
});

test('masks and cuts a chunked body', async () => {
  const organization = await service.organization();
  const gifts = Array.from({ length: 2_000 }, () => ({ email: 'ada@example.com' }));
  const chunked = new Blob([JSON.stringify({ gifts })]).stream();
  const answer = await fetch(`${service.url}/v1/orders`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${organization.keys.sandbox}`, 'Idempotency-Key': 'chunked' },
    body: chunked,
    duplex: 'half',
  } as RequestInit);
  assert.equal(answer.status, 422);
  await untilLogged(service, organization, 'sandbox', 1);
  const [entry] = await readLog(service, organization, 'sandbox');
  assert.equal(entry?.body_bytes, null);
  assert.ok(entry?.body !== null && (entry?.body.length ?? 0) < 5_000);
  const { gifts: kept } = JSON.parse(entry?.body ?? '') as { gifts: unknown[] };
  assert.deepEqual(kept[0], { email: 'a•••@example.com' });
  assert.equal(kept.at(-1), '…');
});

test('logs requests with a revoked key, not with an unknown key', async () => {
  const organization = await service.organization();
  const { organizationId, live } = organization;
  const keyId = encodeId('key', (await liveKeyId(organization)) ?? '');
  const countAll = async () => (await service.sql('select from request_log')).length;
  const before = await countAll();
  await revokeKey(service.service.deps, { organizationId, keyId, actor: OPERATOR });
  assertError(await service.api(`${organization.keys.live}x`).get('/v1/orders'), 'api_key_invalid');
  assertError(await service.api().get('/v1/orders'), 'api_key_missing');
  assert.equal((await service.api().get('/v1/health')).status, 200);
  assertError(await live.get('/v1/orders'), 'api_key_revoked');
  await untilLogged(service, organization, 'live', 1);
  const [latest] = await readLog(service, organization, 'live');
  assert.deepEqual([latest?.status, latest?.error_code, latest?.key_id], [401, 'api_key_revoked', keyId]);
  assert.equal(await countAll(), before + 1);
});
