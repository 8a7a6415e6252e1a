import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { assertError, emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { processed } from '../../harness/processing-orders.ts';
import { startTestService } from '../../harness/test-service.ts';

// `external_id` and `metadata` of orders and gifts.

const service = openForFile(() => startTestService({ ORDER_LOCK_WAIT_MS: '5000' }));
const second = openForFile(() => service.second());

const keyed = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
const own = { external_id: 'order 117 é', metadata: { team: 'sales', 'a.b': '', Z: 'x' } };
const ofGift = { external_id: 'gift 1', metadata: { row: '9' } };

test('an order and its gifts show what was given in every answer', async () => {
  const { sandbox } = await service.organization();
  const body = { gifts: [{ ...linkGift(), ...ofGift }, emailGift('delivered')], ...own };
  const placed = await sandbox.post('/v1/orders', body, keyed('one'));
  assert.equal(placed.status, 201);
  const { order_id, gifts, ...rest } = placed.body;
  assert.deepEqual(rest, { status: 'processed', ...own });
  assert.deepEqual(Object.keys(rest.metadata), ['Z', 'a.b', 'team']);
  assert.deepEqual({ ...gifts[0], ...ofGift }, gifts[0]);
  assert.deepEqual(Object.keys(gifts[1]), ['gift_id', 'amount', 'category', 'delivery', 'personalization']);
  const replay = await sandbox.post('/v1/orders', body, keyed('one'));
  assert.deepEqual([replay.status, JSON.stringify(replay.body)], [200, JSON.stringify(placed.body)]);
  assert.equal(JSON.stringify((await sandbox.get(`/v1/orders/${order_id}`)).body), JSON.stringify(placed.body));
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, [placed.body]);
  assert.deepEqual((await sandbox.get(`/v1/gifts/${gifts[0].gift_id}`)).body, gifts[0]);
  assert.deepEqual((await sandbox.get('/v1/gifts')).body.data, [...gifts].reverse());
});

test('a processing order keeps them for the gifts that it creates later', async () => {
  const { sandbox } = await service.organization();
  const gifts = [{ ...emailGift('processing'), ...ofGift }];
  const { body } = await sandbox.post('/v1/orders', { gifts, ...own }, keyed());
  assert.deepEqual([body.status, body.gifts, body.metadata], ['processing', [], own.metadata]);
  await processed(service, sandbox, body.order_id);
  const done = (await sandbox.get(`/v1/orders/${body.order_id}`)).body;
  assert.deepEqual(
    [done.status, done.gifts[0].external_id, done.gifts[0].metadata],
    ['processed', 'gift 1', { row: '9' }],
  );
});

test('a second order with an external_id is refused, without a charge', async () => {
  const organization = await service.organization();
  const { sandbox, live } = organization;
  const order = (more: object, key?: string, client = sandbox) =>
    client.post('/v1/orders', { gifts: [linkGift()], ...more }, keyed(key));
  const first = await order({ external_id: 'A' }, 'first');
  assert.equal(first.status, 201);
  for (const key of [undefined, 'first too']) {
    const taken = await order({ external_id: 'A' }, key);
    assertError(taken, 'external_id_taken');
    assert.equal(taken.body.error.order_id, first.body.order_id);
  }
  assertError(await order({ external_id: 'B' }, 'first'), 'idempotency_key_reused');
  assert.equal((await order({ external_id: 'a' }, 'first too')).status, 201);
  assert.equal((await order({ external_id: 'A' }, undefined, live)).status, 201);
  assert.equal((await order({ external_id: 'A' }, undefined, (await service.organization()).sandbox)).status, 201);
  assert.equal((await sandbox.get('/v1/balance')).body.available, 1_000_000 - 2 * 2500);
});

test('of many orders with one external_id at once, exactly one is placed', async () => {
  const organization = await service.organization();
  const other = second.api(organization.keys.sandbox);
  for (let round = 0; round < 10; round += 1) {
    const external_id = `round ${round}`;
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        (index % 2 === 0 ? organization.sandbox : other).post(
          '/v1/orders',
          // Every third order has its own id and must not suffer.
          { gifts: [linkGift(1000)], external_id: index % 3 === 0 ? `${external_id} ${index}` : external_id },
          keyed(),
        ),
      ),
    );
    const codes = answers.map(({ status, body }) => (status === 201 ? 'placed' : body.error.code));
    const [neighbours, rivals] = [codes.filter((_, n) => n % 3 === 0), codes.filter((_, n) => n % 3 !== 0)];
    assert.deepEqual(
      neighbours,
      Array.from({ length: 8 }, () => 'placed'),
    );
    const placed = answers.find(({ status }, n) => status === 201 && n % 3 !== 0)?.body.order_id;
    for (const { status, body } of answers) if (status === 409) assert.equal(body.error.order_id, placed);
    assert.deepEqual(rivals.sort(), [...Array.from({ length: 15 }, () => 'external_id_taken'), 'placed']);
  }
  assert.equal((await organization.sandbox.get('/v1/balance')).body.available, 1_000_000 - 10 * 9 * 1000);
});

test('external_id and metadata have limits, which an error names', async () => {
  const { sandbox } = await service.organization();
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, '']));
  for (const [more, param] of [
    [{ external_id: '' }, 'external_id'],
    [{ external_id: 'x'.repeat(256) }, 'external_id'],
    [{ external_id: 'a\nb' }, 'external_id'],
    [{ external_id: 7 }, 'external_id'],
    [{ metadata: pairs(21) }, 'metadata'],
    [{ metadata: { 'not a key': '' } }, 'metadata'],
    [{ metadata: { ['k'.repeat(41)]: '' } }, 'metadata'],
    [{ metadata: { key: 'x'.repeat(501) } }, 'metadata'],
    [{ metadata: { key: 1 } }, 'metadata'],
    [{ metadata: { key: null } }, 'metadata'],
    [{ metadata: { key: 'a\u0000' } }, 'metadata'],
    [{ metadata: [] }, 'metadata'],
  ] as const) {
    assertError(
      await sandbox.post('/v1/orders', { gifts: [linkGift()], ...more }, keyed()),
      'parameter_invalid',
      param,
    );
    const gifts = [{ ...linkGift(), ...more }];
    assertError(await sandbox.post('/v1/orders', { gifts }, keyed()), 'parameter_invalid', `gifts[0].${param}`);
  }
  const most = { external_id: '🎁'.repeat(255), metadata: { ...pairs(19), ['k'.repeat(40)]: '🎁'.repeat(500) } };
  const answer = await sandbox.post('/v1/orders', { gifts: [{ ...linkGift(), ...most }], ...most }, keyed());
  assert.deepEqual([answer.status, answer.body.metadata], [201, most.metadata]);
  const absent = { external_id: null, metadata: null };
  assert.equal((await sandbox.post('/v1/orders', { gifts: [linkGift()], ...absent }, keyed())).status, 201);
});

test('erasing a recipient erases the metadata of their gifts and orders', async () => {
  const { sandbox, organizationId, organizationUuid } = await service.organization();
  const email = 'ada@example.com';
  const ada = { ...emailGift('any'), delivery: { method: 'email', email }, external_id: `for ${email}` };
  const data = { metadata: { about: email } };
  const place = (gifts: object[]) => sandbox.post('/v1/orders', { gifts, ...data, external_id: 'x' }, keyed());
  const { body } = await place([
    { ...ada, ...data },
    { ...emailGift('processing'), ...data },
    { ...ada, ...data },
  ]);
  const other = (await sandbox.post('/v1/orders', { gifts: [linkGift()], metadata: { kept: 'yes' } }, keyed())).body;
  const recipient = { method: 'email', email } as const;
  await eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  const left = await service.sql<{ text: string }>(
    `select o::text as text from orders o where organization_id = $1
     union all select g::text from gifts g where organization_id = $1`,
    [organizationUuid],
  );
  // The steered gift's address is another one, so that gift keeps its metadata until it is erased itself.
  assert.equal(
    left
      .map(({ text }) => text)
      .join()
      .split(email).length,
    2,
  );
  const shown = (await sandbox.get(`/v1/orders/${body.order_id}`)).body;
  assert.deepEqual([shown.metadata, shown.external_id, shown.gifts[0].metadata], [undefined, 'x', undefined]);
  assert.deepEqual((await sandbox.get(`/v1/orders/${other.order_id}`)).body, other);
});

test('pairs of metadata are found until they are erased or reset, and leave no hash behind', async () => {
  const { sandbox, organizationId, organizationUuid } = await service.organization();
  const email = 'grace@example.com';
  const gifts = [
    { ...emailGift('any'), delivery: { method: 'email', email }, metadata: { team: 'navy', rank: 'admiral' } },
    { ...emailGift('processing'), metadata: { team: 'navy' } },
  ];
  await sandbox.post('/v1/orders', { gifts, metadata: { team: 'navy' } }, keyed());
  const other = { gifts: [{ ...linkGift(), metadata: { team: 'navy' } }], metadata: { team: 'army' } };
  await sandbox.post('/v1/orders', other, keyed());
  await service.clock.advance(21_000);
  const found = async (list: string, query: string) =>
    (await sandbox.get(`/v1/${list}?metadata${query}`)).body.data.length;
  const all = async () => [
    await found('gifts', '[team]=navy'),
    await found('gifts', '[rank]=admiral&metadata[team]=navy'),
    await found('orders', '[team]=navy'),
    await found('orders', '[team]=army'),
  ];
  const pairs = async () => {
    const text = 'select count(*)::integer as count from metadata_pairs where organization_id = $1';
    return (await service.sql<{ count: number }>(text, [organizationUuid]))[0]?.count;
  };
  assert.deepEqual([await all(), await pairs()], [[3, 1, 1, 1], 6]);
  await eraseRecipient(service.service.deps, {
    organizationId,
    recipient: { method: 'email', email },
    actor: OPERATOR,
  });
  assert.deepEqual([await all(), await pairs()], [[2, 0, 0, 1], 3]);
  assert.equal((await sandbox.post('/v1/sandbox/reset')).status, 200);
  assert.equal(await pairs(), 0);
});
