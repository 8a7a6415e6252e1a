import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importKey } from '../../../src/core/keys/import-key.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { type Answer, type ApiClient, gift } from '../../harness/api-client.ts';
import { whileReadsAreHeld } from '../../harness/hold-reads.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertCommonHeaders, assertRefused, connectRaw, exchange, request } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

// 5 requests at once and 2 a second, for keys and addresses (docs/decisions.md#limits).

const LIMITS = {
  RATE_LIMIT_PER_SECOND: '2',
  RATE_LIMIT_BURST: '5',
  RATE_LIMIT_ADDRESS_PER_SECOND: '2',
  RATE_LIMIT_ADDRESS_BURST: '5',
};

const service = openForFile(() => startTestService(LIMITS));
const behindProxy = openForFile(() => service.second({ TRUST_PROXY: '127.0.0.1' }));

/** Refills all buckets. */
const refill = () => service.clock.jump(10_000);

const stateOf = ({ headers }: Answer) => `${headers.get('ratelimit-policy')} ${headers.get('ratelimit')}`;
const retryAfter = ({ headers }: Answer) => headers.get('retry-after');

async function exhaustKey(client: ApiClient): Promise<void> {
  for (let call = 0; call < 5; call += 1) await client.get('/v1/gifts');
}

async function exhaustAddress(one: TestService, headers: Record<string, string> = {}): Promise<void> {
  for (let call = 0; call < 5; call += 1)
    assert.equal((await one.api().get('/v1/openapi.json', headers)).status, 200, `call ${call + 1}`);
  assertRefused(await one.api().get('/v1/openapi.json', headers), 'rate_limit_exceeded');
}

test('a key has its burst, then 429, and gets its rate back with time', async () => {
  const { sandbox } = await service.organization();
  const states: string[] = [];
  for (let call = 0; call < 5; call += 1) {
    const answer = await sandbox.get('/v1/orders');
    assert.equal(answer.status, 200);
    states.push(answer.headers.get('ratelimit') ?? '');
  }
  assert.deepEqual(states, ['"key";r=4;t=1', '"key";r=3;t=1', '"key";r=2;t=2', '"key";r=1;t=2', '"key";r=0;t=3']);
  const refused = await sandbox.get('/v1/orders');
  assertRefused(refused, 'rate_limit_exceeded');
  assert.equal(stateOf(refused), '"key";q=5;w=3 "key";r=0;t=3');
  assert.equal(retryAfter(refused), '1');

  await service.clock.advance(499);
  assertRefused(await sandbox.get('/v1/orders'), 'rate_limit_exceeded');
  await service.clock.advance(1);
  assert.equal((await sandbox.get('/v1/orders')).status, 200);
  assertRefused(await sandbox.get('/v1/orders'), 'rate_limit_exceeded');
  await service.clock.jump(60_000);
  assert.equal(stateOf(await sandbox.get('/v1/orders')), '"key";q=5;w=3 "key";r=4;t=1');
});

test('each key has its own bucket', async () => {
  const { sandbox, live, newKey } = await service.organization();
  await exhaustKey(sandbox);
  assertRefused(await sandbox.get('/v1/gifts'), 'rate_limit_exceeded');
  assert.equal((await live.get('/v1/gifts')).headers.get('ratelimit'), '"key";r=4;t=1');
  const second = service.api(await newKey('sandbox'));
  assert.equal((await second.get('/v1/gifts')).headers.get('ratelimit'), '"key";r=4;t=1');
});

test('an order refused by the limit is not placed, and its key is free', async () => {
  const { sandbox } = await service.organization();
  await exhaustKey(sandbox);
  assertRefused(await sandbox.order([gift()], 'limited'), 'rate_limit_exceeded');
  await refill();
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, []);
  assert.equal((await sandbox.order([gift()], 'limited')).status, 201);
});

test('calls without a valid key share the address’s bucket; health checks use none', async () => {
  await refill();
  const anonymous = service.api();
  const left = async (answer: Promise<Answer>) => (await answer).headers.get('ratelimit');
  for (let call = 0; call < 3; call += 1)
    assert.equal(await left(anonymous.get('/v1/health')), '"address";r=5;t=0', `call ${call + 1}`);
  assert.equal(await left(anonymous.get('/v1/openapi.json')), '"address";r=4;t=1');
  assert.equal(await left(anonymous.get('/v1/orders')), '"address";r=3;t=1');
  assert.equal(await left(service.api('bad').get('/v1/orders')), '"address";r=2;t=2');
  assert.equal(await left(service.api('sk_12345678').get('/v1/orders')), '"address";r=1;t=2');
  assert.equal(await left(anonymous.get('/v1/openapi.json')), '"address";r=0;t=3');
  for (const path of ['/v1/openapi.json', '/v1/orders']) {
    const answer = await anonymous.get(path);
    assertRefused(answer, 'rate_limit_exceeded');
    assert.equal(stateOf(answer), '"address";q=5;w=3 "address";r=0;t=3');
  }
  assertRefused(await service.api('bad').get('/v1/orders'), 'rate_limit_exceeded');
  const health = await anonymous.get('/v1/health');
  assert.deepEqual([health.status, stateOf(health)], [200, '"address";q=5;w=3 "address";r=0;t=3']);
});

/** Runs the act and returns the statements that it sent. */
async function statementsDuring(act: () => Promise<void>): Promise<string[]> {
  const { read, shared } = service.service.deps.database;
  const sent: string[] = [];
  const restore = [...new Set<{ query: unknown }>([read, shared])].map((database) => {
    const real = database.query as (...all: unknown[]) => unknown;
    database.query = (...all: unknown[]) => {
      sent.push(JSON.stringify(all[0]));
      return Reflect.apply(real, database, all);
    };
    return () => {
      database.query = real;
    };
  });
  await act();
  for (const back of restore) back();
  return sent;
}

test('an address without failed attempts left cannot guess a key or reach the database', async () => {
  await refill();
  const { organizationId, newKey } = await service.organization();
  const imported = 'sk_guessed_1';
  const owner = { organizationId, environment: 'sandbox', name: 'older', actor: OPERATOR } as const;
  await importKey(service.service.deps, { ...owner, key: imported });
  const unused = await newKey('sandbox');
  for (let guess = 0; guess < 5; guess += 1)
    assertRefused(await service.api(`sk_wrong_${guess}`).get('/v1/orders'), 'api_key_invalid');
  const sent = await statementsDuring(async () => {
    for (const key of [imported, unused, 'sk_wrong_5']) {
      const refused = await service.api(key).get('/v1/orders');
      assertRefused(refused, 'rate_limit_exceeded');
      assert.equal(stateOf(refused), '"address";q=5;w=3 "address";r=0;t=3');
      assert.equal(retryAfter(refused), '1');
    }
  });
  assert.deepEqual(sent, []);
  await refill();
  for (const key of [imported, unused]) assert.equal((await service.api(key).get('/v1/orders')).status, 200);
});

test('a key that was revoked no longer passes an exhausted address', async () => {
  await refill();
  const { organizationId, live, keys } = await service.organization();
  assert.equal((await live.get('/v1/orders')).status, 200);
  await revokeKey(service.service.deps, { organizationId, keyId: await keyIdOf(service, keys.live), actor: OPERATOR });
  assertRefused(await live.get('/v1/orders'), 'api_key_revoked');
  for (let guess = 0; guess < 4; guess += 1)
    assertRefused(await service.api(`sk_wrong_${guess}`).get('/v1/orders'), 'api_key_invalid');
  const sent = await statementsDuring(async () => {
    assertRefused(await live.get('/v1/orders'), 'rate_limit_exceeded');
  });
  assert.deepEqual(sent, []);
});

test('a key that was used before is answered from an exhausted address', async () => {
  await refill();
  const { sandbox } = await service.organization();
  assert.equal((await sandbox.get('/v1/orders')).status, 200);
  await refill();
  await exhaustAddress(service);
  const answer = await sandbox.get('/v1/orders');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('ratelimit'), '"key";r=4;t=1');
});

test('valid keys do not use the address’s bucket, and 404s use none', async () => {
  await refill();
  const { sandbox, keys } = await service.organization();
  for (let call = 0; call < 4; call += 1) await sandbox.get('/v1/orders');
  for (let call = 0; call < 8; call += 1)
    assertRefused(await service.api(keys.sandbox).get('/v1/x'), 'resource_missing');
  assert.equal((await service.api().get('/v1/openapi.json')).headers.get('ratelimit'), '"address";r=4;t=1');
  assert.equal((await sandbox.get('/v1/orders')).headers.get('ratelimit'), '"key";r=0;t=3');
});

test('an unknown path is 404 even with an exhausted address and key', async () => {
  await refill();
  const { sandbox } = await service.organization();
  await exhaustKey(sandbox);
  await exhaustAddress(service);
  assertRefused(await sandbox.get('/v1/x'), 'resource_missing');
  assertRefused(await service.api().get('/v1/x'), 'resource_missing');
});

test('a key’s limit is checked after 401 and before 403, body and validation', async () => {
  await refill();
  const { organizationId, live } = await service.organization();
  for (let call = 0; call < 4; call += 1) await live.get('/v1/orders');
  assertRefused(await live.post('/v1/sandbox/reset'), 'sandbox_endpoint_only');
  assertRefused(await live.post('/v1/sandbox/reset'), 'rate_limit_exceeded');
  assertRefused(await live.post('/v1/orders', 'not JSON'), 'rate_limit_exceeded');
  assertRefused(await live.get('/v1/orders?limit=0'), 'rate_limit_exceeded');
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assertRefused(await live.get('/v1/orders'), 'rate_limit_exceeded');
  await service.clock.advance(1_000);
  assertRefused(await live.get('/v1/orders'), 'organization_suspended');
});

test('every answer shows the limit of the key, or of the address', async () => {
  await refill();
  const { keys } = await service.organization();
  const key = `Authorization: Bearer ${keys.live}`;
  const answers: [bytes: string, status: number, limit: string][] = [
    [request('GET /v1/orders', [key]), 200, 'key'],
    [request('GET /v1/orders?limit=0', [key]), 422, 'key'],
    [request('POST /v1/orders', [key, 'Content-Length: 1'], 'x'), 400, 'key'],
    [request('POST /v1/orders', [key, 'Content-Length: 2000000']), 413, 'key'],
    [request('POST /v1/sandbox/reset', [key]), 403, 'key'],
    [request('GET /v1/health'), 200, 'address'],
    [request('GET /v1/orders'), 401, 'address'],
    [request('GET /v1/nothing', [key]), 404, 'address'],
    [request('GET /v1/orders/%ZZ', [key]), 404, 'address'],
    [request('CONNECT gifts.test:443'), 404, 'address'],
    [request('GET /v1/orders', [key, 'Expect: foo']), 400, 'address'],
    ['garbage\r\n\r\n', 400, 'address'],
    ['GET /v1/health HTTP/1.1\r\n\r\n', 400, 'address'],
    [request('GET /v1/health', [`X: ${'x'.repeat(20_000)}`]), 413, 'address'],
  ];
  for (const [bytes, status, limit] of answers) {
    const answer = await exchange(service.url, bytes);
    assert.equal(answer.status, status, bytes.slice(0, 80));
    assertCommonHeaders(answer);
    assert.match(answer.headers.get('ratelimit-policy') ?? '', new RegExp(`^"${limit}";q=5;w=3$`));
    assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"${limit}";r=[0-5];t=[0-3]$`));
  }
});

// The client address is the socket's; TRUST_PROXY names trusted proxies (docs/decisions.md#limits).
test('without TRUST_PROXY a forwarded address is not believed', async () => {
  await refill();
  await exhaustAddress(service, { 'X-Forwarded-For': '192.0.2.1' });
  assertRefused(await service.api().get('/v1/openapi.json', { 'X-Forwarded-For': '192.0.2.2' }), 'rate_limit_exceeded');
});

test('behind a trusted proxy the nearest forwarded address or its /64 has the bucket', async () => {
  await refill();
  await exhaustAddress(behindProxy, { 'X-Forwarded-For': '192.0.2.1' });
  await exhaustAddress(behindProxy, { 'X-Forwarded-For': '2001:db8:1:2::1' });
  const get = (forwarded: string) => behindProxy.api().get('/v1/openapi.json', { 'X-Forwarded-For': forwarded });
  assert.equal((await get('192.0.2.2')).status, 200);
  assertRefused(await get('192.0.2.3, 192.0.2.1'), 'rate_limit_exceeded');
  assertRefused(await get('192.0.2.1, 127.0.0.1'), 'rate_limit_exceeded');
  assert.equal((await get('192.0.2.1, 192.0.2.4')).status, 200);
  assertRefused(await get('2001:db8:1:2:ffff::9'), 'rate_limit_exceeded');
  assert.equal((await get('2001:db8:1:3::1')).status, 200);
});

// The limit of requests under way is of the whole process.
test('above 2,500 requests under way all but health checks get 429 until it recovers', async (t) => {
  const { keys } = await service.organization();
  const key = `Authorization: Bearer ${keys.live}`;
  const roomy = await service.second({ RATE_LIMIT_BURST: '100000', RATE_LIMIT_ADDRESS_BURST: '100000' });
  const connections = await Promise.all(Array.from({ length: 26 }, () => connectRaw(roomy.url)));
  await whileReadsAreHeld(t, roomy, async () => {
    for (const connection of connections) await connection.write(request('GET /v1/orders', [key]).repeat(100));
    assertRefused(await roomy.api(keys.live).get('/v1/orders'), 'rate_limit_exceeded');
    assert.equal((await roomy.api().get('/v1/health')).status, 200);
  });
  const [first] = connections;
  for (let call = 0; call < 100; call += 1) assert.equal((await first?.answer())?.status, 200);
  for (const connection of connections) connection.hangUp();
  // Closed connections are still read.
  await until(async () => (await roomy.api(keys.live).get('/v1/orders')).status === 200, 'It takes requests again.');
  await roomy.close();
});
