import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../../src/core/keys/create-key.ts';
import { importKey } from '../../../src/core/keys/import-key.ts';
import { listKeys } from '../../../src/core/keys/list-keys.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { rollKey } from '../../../src/core/keys/roll-key.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { isNetwork } from '../../../src/platform/base/network.ts';
import { linkGift } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { isOperatorError } from '../../harness/test-acts.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// Limits that an admin may set on a key: when it expires, its networks, and its replacement. All are off by default.

const HOUR_MS = 3_600_000;

const service = openForFile(() => startTestService());
const behindProxy = openForFile(() => service.second({ TRUST_PROXY: '127.0.0.1' }));

const inHours = (hours: number) => new Date(service.clock.now() + hours * HOUR_MS);

const create = ({ organizationId }: TestOrganization, limits: { expiresAt?: Date; networks?: string[] }) =>
  createKey(service.service.deps, { organizationId, environment: 'sandbox', name: 'limited', limits, actor: OPERATOR });

async function roll({ organizationId }: TestOrganization, key: string, overlapHours: number) {
  const keyId = await keyIdOf(service, key);
  return rollKey(service.service.deps, { organizationId, keyId, overlapHours, actor: OPERATOR });
}

const ordersOf = async (key: string) => (await service.api(key).get('/v1/orders')).body.error?.code ?? 'ok';

test('a key works until the moment that it expires, then it is api_key_revoked', async () => {
  const organization = await service.organization();
  const { key, key_id } = await create(organization, { expiresAt: inHours(1) });
  const client = service.api(key);
  await service.clock.jump(HOUR_MS - 1);
  assert.equal((await client.order([linkGift()])).status, 201);
  await service.clock.advance(1);
  assertRefused(await client.order([linkGift()]), 'api_key_revoked');
  assertRefused(await client.get('/v1/orders'), 'api_key_revoked');
  const { organizationId } = organization;
  const revoked = await revokeKey(service.service.deps, { organizationId, keyId: key_id, actor: OPERATOR });
  assert.ok(revoked.revoked_at);
});

test('an expired key does not count as active', async () => {
  const organization = await service.organization();
  for (let n = 0; n < 8; n += 1) await create(organization, { expiresAt: inHours(1) });
  await assert.rejects(create(organization, {}), isOperatorError(/already has 10 active keys/));
  await service.clock.jump(HOUR_MS);
  await create(organization, {});
});

test('a key opens only from its networks, and is unknown elsewhere', async () => {
  const organization = await service.organization();
  const { key, networks } = await create(organization, {
    networks: ['192.0.2.7', '198.51.100.77/24', '2001:db8::/32'],
  });
  assert.deepEqual(networks, ['192.0.2.7/32', '198.51.100.0/24', '2001:db8::/32']);
  const client = behindProxy.api(key);
  for (const [address, isAllowed] of [
    ['192.0.2.7', true],
    ['::ffff:192.0.2.7', true],
    ['192.0.2.8', false],
    ['198.51.100.255', true],
    ['198.51.101.0', false],
    ['2001:db8:ffff::1', true],
    ['2001:db9::1', false],
    ['fe80::1%eth0', false],
    ['unknown', false],
  ] as const) {
    const headers = { 'X-Forwarded-For': address };
    const orders = await client.get('/v1/orders', headers);
    const order = await client.post('/v1/orders', { gifts: [linkGift()] }, { ...headers, 'Idempotency-Key': address });
    if (isAllowed) assert.deepEqual([orders.status, order.status], [200, 201], address);
    else for (const answer of [orders, order]) assertRefused(answer, 'api_key_invalid');
  }
  assertRefused(await service.api(key).get('/v1/orders'), 'api_key_invalid');
});

test('one batch places only the orders from a key’s networks', async () => {
  const organization = await service.organization();
  const { key } = await create(organization, { networks: ['192.0.2.0/24'] });
  const client = behindProxy.api(key);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      client.post(
        '/v1/orders',
        { gifts: [linkGift()] },
        { 'X-Forwarded-For': n % 2 === 0 ? '192.0.2.1' : '203.0.113.1', 'Idempotency-Key': `batch-${n}` },
      ),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, n) => (n % 2 === 0 ? 201 : 401)),
  );
});

test('a rolled key and its successor both work until the overlap ends', async () => {
  const organization = await service.organization();
  const { sandbox: old } = organization.keys;
  const rolled = await roll(organization, old, 24);
  assert.equal(rolled.replaced_until.getTime(), inHours(24).getTime());
  assert.equal(rolled.name, 'test');
  await service.clock.jump(24 * HOUR_MS - 1);
  assert.deepEqual([await ordersOf(old), await ordersOf(rolled.key)], ['ok', 'ok']);
  await service.clock.advance(1);
  assert.deepEqual([await ordersOf(old), await ordersOf(rolled.key)], ['api_key_revoked', 'ok']);
  await assert.rejects(roll(organization, old, 24), isOperatorError(/There is no active key/));
});

test('a roll keeps networks and lifetime, and never prolongs the old key', async () => {
  const organization = await service.organization();
  const first = await create(organization, { expiresAt: inHours(2), networks: ['127.0.0.0/8'] });
  await service.clock.jump(HOUR_MS);
  const second = await roll(organization, first.key, 168);
  assert.deepEqual(second.networks, ['127.0.0.0/8']);
  assert.equal(second.expires_at?.getTime(), inHours(2).getTime());
  assert.equal(second.replaced_until.getTime(), inHours(1).getTime());
  const third = await roll(organization, second.key, 0);
  assert.deepEqual([await ordersOf(second.key), await ordersOf(third.key)], ['api_key_revoked', 'ok']);
  const rows = await service.sql('select first_key_id from api_keys where organization_id = $1 order by key_id', [
    organization.organizationUuid,
  ]);
  const firstId = decodeId('key', first.key_id);
  assert.deepEqual(
    rows.map(({ first_key_id }) => first_key_id),
    [null, null, null, firstId, firstId],
  );
});

test('ten rolls at once replace a key once, and eleven keys are never active', async () => {
  const organization = await service.organization();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => roll(organization, organization.keys.sandbox, 0)),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (let n = 0; n < 8; n += 1) await create(organization, {});
  await assert.rejects(roll(organization, organization.keys.live, 1), isOperatorError(/already has 10 active keys/));
  assert.equal(await ordersOf(organization.keys.live), 'ok');
  await roll(organization, organization.keys.live, 0);
  const keys = await listKeys(service.service.deps, organization.organizationId);
  assert.equal(keys.filter(({ expires_at }) => expires_at === null).length, 10);
});

test('a rolled imported key gets a successor that names its organization', async () => {
  const organization = await service.organization();
  const { organizationId } = organization;
  const imported = {
    organizationId,
    environment: 'sandbox',
    name: 'old',
    key: 'sk_short_one',
    actor: OPERATOR,
  } as const;
  await importKey(service.service.deps, imported);
  const { key } = await roll(organization, 'sk_short_one', 1);
  assert.match(key, /^bestow-sandbox-[0-9A-Za-z]{50}$/);
  assert.deepEqual([await ordersOf(key), await ordersOf('sk_short_one')], ['ok', 'ok']);
});

test('no order succeeds that begins after a key expired, on either process', async () => {
  const organization = await service.organization({ sandbox: 10_000_000 });
  const { keys, organizationUuid } = organization;
  let isExpired = false;
  let placed = 0;
  const working = Array.from({ length: 40 }, async (_, n) => {
    const client = n % 2 === 0 ? organization.sandbox : behindProxy.api(keys.sandbox);
    for (;;) {
      const isLate = isExpired;
      const answer = await client.order([linkGift(1000)]);
      if (answer.status === 201) placed += 1;
      if (isLate) return assertRefused(answer, 'api_key_revoked');
    }
  });
  while (placed < 40) await new Promise(setImmediate);
  await roll(organization, keys.sandbox, 0);
  isExpired = true;
  await Promise.all(working);
  const stored = await service.sql('select from orders where organization_id = $1', [organizationUuid]);
  assert.equal(stored.length, placed);
});

test('limits that cannot be are refused', async () => {
  const organization = await service.organization();
  await assert.rejects(create(organization, { expiresAt: inHours(0) }), isOperatorError(/expired already/));
  await assert.rejects(create(organization, { networks: ['10.0.0.0/33'] }), isOperatorError(/is not a network/));
  const many = Array.from({ length: 21 }, (_, n) => `192.0.2.${n}`);
  await assert.rejects(create(organization, { networks: many }), isOperatorError(/at most 20 networks/));
  for (const hours of [-1, 169, 0.5])
    await assert.rejects(roll(organization, organization.keys.live, hours), isOperatorError(/from 0 to 168/));
});

test('addresses and networks are read strictly', () => {
  for (const text of ['192.0.2.7', '0.0.0.0/0', '2001:db8::/32', '::1', '10.0.0.0/8']) assert.ok(isNetwork(text), text);
  for (const text of [
    '',
    '10.0.0',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '::/129',
    'fe80::1%eth0',
    '::ffff:192.0.2.0/120',
    '::FFFF:c000:207',
    'example.com',
  ])
    assert.ok(!isNetwork(text), text);
});
