import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused, connectRaw, request, requestsLeft } from '../../harness/raw-http.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The statement of an order checks its key, after the body has arrived; a large body waits for the key's look-up.

const service = openForFile(() => startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1000' }));

const body = JSON.stringify({ gifts: [linkGift()] });

/** Revokes the key as another process would. */
const revoke = ({ keys }: TestOrganization) =>
  service.sql('update api_keys set revoked_at = now() where hash = $1', [hashKey(keys.sandbox)]);

/** Sends a request's head and the first bytes of its body, and the rest on demand. */
async function startOrder(key: string, text: string) {
  const connection = await connectRaw(service.url);
  const headers = [`Authorization: Bearer ${key}`, 'Idempotency-Key: late', `Content-Length: ${text.length}`];
  void connection.write(request('POST /v1/orders', headers, text.slice(0, 5)));
  return { connection, sendRest: () => connection.write(text.slice(5)) };
}

// Before the body is read (docs/decisions.md#order-of-checks, 4).
test('a revoked key is refused before a large body has arrived', async () => {
  const organization = await service.organization();
  await revoke(organization);
  const { connection } = await startOrder(organization.keys.sandbox, body.padEnd(16_385));
  using _closed = connection;
  assertRefused(await connection.answer('POST'), 'api_key_revoked');
});

test('an order with a late body is placed and counted once', async () => {
  const { sandbox, keys } = await service.organization();
  const first = requestsLeft(await sandbox.order([linkGift()]));
  const { connection, sendRest } = await startOrder(keys.sandbox, body);
  using _closed = connection;
  await sleep(100);
  void sendRest();
  const answer = await connection.answer('POST');
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  assert.match(answer.headers.get('ratelimit-policy') ?? '', /^"key"/);
  assert.equal(requestsLeft(answer), first - 1);
});

test('the address pays once for a refused key', async () => {
  const address = async () => requestsLeft(await service.api().get('/v1/categories'));
  for (const pauseMs of [0, 15, 20, 25, 30]) {
    const organization = await service.organization();
    await organization.sandbox.order([linkGift()]);
    await revoke(organization);
    const before = await address();
    const { connection, sendRest } = await startOrder(organization.keys.sandbox, '{"gifts":[]}');
    using _closed = connection;
    await sleep(pauseMs);
    void sendRest();
    assertRefused(await connection.answer('POST'), 'api_key_revoked');
    // The request itself, and the call that reads the limit.
    assert.equal(await address(), before - 2, `${pauseMs} ms`);
  }
});

test('a key revoked before the body has arrived places nothing', async () => {
  const organization = await service.organization();
  await organization.sandbox.order([linkGift()]);
  const { connection, sendRest } = await startOrder(organization.keys.sandbox, body);
  using _closed = connection;
  await sleep(100);
  await revoke(organization);
  void sendRest();
  assertRefused(await connection.answer('POST'), 'api_key_revoked');
  const { organizationUuid } = organization;
  const orders = await service.sql('select from orders where organization_id = $1', [organizationUuid]);
  assert.equal(orders.length, 1);
});

test('public routes look up no key, however late the body is', async () => {
  const connection = await connectRaw(service.url);
  using _closed = connection;
  void connection.write(request('POST /g/unknown/purchase', [`Content-Length: ${body.length}`], body.slice(0, 5)));
  await sleep(100);
  void connection.write(body.slice(5));
  assert.equal((await connection.answer('POST')).status, 404);
});
