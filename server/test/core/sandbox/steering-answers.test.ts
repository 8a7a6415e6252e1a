import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The addresses that steer the answer instead of the gift (docs/sandbox.md).

const service = openForFile(() => startTestService());

const FUNDS = 1_000_000;
const phone = (number: string) => gift({ delivery: { method: 'phone', phone: number } });

const countOf = async (table: string, { organizationUuid }: TestOrganization): Promise<number> => {
  const [row] = await service.sql<{ count: string }>(`select count(*) from ${table} where organization_id = $1`, [
    organizationUuid,
  ]);
  return Number(row?.count);
};

/** Advances the clock until all slow answers have arrived; on a busy machine some begin to wait late. */
async function answersOf<One>(slow: Promise<One>[]): Promise<One[]> {
  let haveArrived = false;
  const answers = Promise.all(slow).finally(() => {
    haveArrived = true;
  });
  await until(async () => {
    await service.clock.advance(5_000);
    return haveArrived;
  }, 'all are answered');
  return answers;
}

test('rate-limited: the first try is 429, the next places the order, others replay it', async () => {
  const steered = emailGift('rate-limited');
  const organization = await service.organization();
  const { sandbox } = organization;
  const first = await sandbox.order([linkGift(), steered], 'the key');
  assertError(first, 'rate_limit_exceeded');
  assert.equal(first.headers.get('retry-after'), '1');
  for (const table of ['orders', 'gifts', 'deliveries']) assert.equal(await countOf(table, organization), 0, table);
  assert.equal(await balanceOf(service, organization, 'sandbox'), FUNDS);
  const second = await sandbox.order([linkGift(), steered], 'the key');
  assert.deepEqual([second.status, second.body.status], [201, 'processed']);
  assert.deepEqual(second.body.gifts[1].delivery.status, 'sent');
  const third = await sandbox.order([linkGift(), steered], 'the key');
  assert.deepEqual([third.status, third.body], [200, second.body]);
  assertError(await sandbox.order([steered], 'another key'), 'rate_limit_exceeded');
});

for (const [code, localPart, number] of [
  ['resource_locked', 'resource-locked', '+12025550111'],
  ['idempotency_in_progress', 'in-progress', '+12025550112'],
] as const)
  test(`${localPart}: the first try is 409 ${code}, the next places the order`, async () => {
    const organization = await service.organization();
    const { sandbox } = organization;
    for (const [key, steered] of [
      ['mail', emailGift(localPart)],
      ['number', phone(number)],
    ] as const) {
      const first = await sandbox.order([linkGift(), steered], key);
      assertError(first, code);
      assert.equal(first.headers.get('retry-after'), '1');
      assert.equal((await sandbox.order([linkGift(), steered], key)).status, 201);
      assert.equal((await sandbox.order([linkGift(), steered], key)).status, 200);
    }
    assert.equal(await balanceOf(service, organization, 'sandbox'), FUNDS - 4 * 2_500);
    const mixed = [emailGift('rate-limited'), emailGift(localPart)];
    assertError(await sandbox.order(mixed, 'mixed'), 'rate_limit_exceeded');
    assert.equal((await sandbox.order(mixed, 'mixed')).status, 201);
  });

test('all processes remember a first try, until a reset or for an hour', async () => {
  const organization = await service.organization();
  const other = (await service.second()).api(organization.keys.sandbox);
  const gifts = [emailGift('rate-limited')];
  assertError(await organization.sandbox.order(gifts, 'one'), 'rate_limit_exceeded');
  assert.equal((await other.order(gifts, 'one')).status, 201);
  assert.equal((await organization.sandbox.order(gifts, 'one')).status, 200);

  assertError(await other.order(gifts, 'two'), 'rate_limit_exceeded');
  assert.equal((await other.post('/v1/sandbox/reset')).status, 200);
  await organization.fund('sandbox', FUNDS);
  assertError(await other.order(gifts, 'two'), 'rate_limit_exceeded');
  assert.equal((await other.order(gifts, 'two')).status, 201);

  assertError(await other.order(gifts, 'three'), 'rate_limit_exceeded');
  assert.ok((await countOf('steered_tries', organization)) > 0);
  await service.clock.jump(3_660_000);
  await workUntil(service, async () => (await countOf('steered_tries', organization)) === 0, 'forgotten');
  assertError(await other.order(gifts, 'three'), 'rate_limit_exceeded');
});

test('a try refused for another reason does not count', async () => {
  const { sandbox } = await service.organization();
  const stranger = await service.organization();
  const steered = emailGift('rate-limited');
  assertError(
    await sandbox.order([steered, gift({ category: 'unknown' })], 'the key'),
    'parameter_invalid',
    'gifts[1].category',
  );
  assertError(await stranger.sandbox.order([steered], 'the key'), 'rate_limit_exceeded');
  assertError(await sandbox.order([steered], 'the key'), 'rate_limit_exceeded');
  assert.equal((await sandbox.order([steered], 'the key')).status, 201);
  assertError(await sandbox.order([linkGift()], 'the key'), 'idempotency_key_reused');
});

test('the first failing gift decides; after the first try, the next one', async () => {
  const { sandbox } = await service.organization();
  const gifts = [emailGift('rate-limited'), emailGift('internal-error')];
  assertError(await sandbox.order(gifts, 'one'), 'rate_limit_exceeded');
  assertError(await sandbox.order(gifts, 'one'), 'internal_error');
  assertError(await sandbox.order(gifts.toReversed(), 'two'), 'internal_error');
});

test('response-lost: places the order, drops the connection, and answers a retry', async () => {
  const steered = phone('+12025550109');
  const organization = await service.organization();
  const { sandbox } = organization;
  const gifts = [emailGift('claimed'), steered];
  await assert.rejects(sandbox.order(gifts, 'the key'), TypeError);
  assert.equal(await countOf('orders', organization), 1);
  assert.equal(await balanceOf(service, organization, 'sandbox'), FUNDS - 5_000);
  const retry = await sandbox.order(gifts, 'the key');
  assert.deepEqual([retry.status, retry.headers.get('idempotent-replayed')], [200, 'true']);
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, [retry.body]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), FUNDS - 5_000);
});

test('a refused order is answered even if its address steers the answer', async () => {
  const { sandbox } = await service.organization({ sandbox: 1_000 });
  for (const localPart of ['response-lost', 'slow'])
    assertError(await sandbox.order([emailGift(localPart)]), 'insufficient_balance');
});

test('slow: places the order at once, answers after 5 s and delays no others', async () => {
  const steered = emailGift('slow');
  const organization = await service.organization();
  const { sandbox } = organization;
  let isAnswered = false;
  // More than the database connections.
  const slow = Array.from({ length: 30 }, async (_, index) => {
    const answer = await sandbox.order([steered], `slow ${index}`);
    isAnswered ||= answer.status === 201;
    return answer;
  });
  await until(async () => (await countOf('orders', organization)) > 0, 'placed');
  const strangers = await Promise.all(
    Array.from({ length: 10 }, async () => (await service.organization()).sandbox.order([linkGift()])),
  );
  for (const { status } of strangers) assert.equal(status, 201);
  // A retry is not slow.
  const [placed] = await service.sql<{ idempotency_key: string }>(
    'select idempotency_key from orders where organization_id = $1',
    [organization.organizationUuid],
  );
  assert.equal((await sandbox.order([steered], placed?.idempotency_key)).status, 200);
  await service.clock.advance(4_999);
  await sleep(20);
  assert.equal(isAnswered, false);
  await service.clock.advance(1);
  await until(() => isAnswered, 'answered');
  const statuses = (await answersOf(slow)).map(({ status }) => status);
  assert.ok(statuses.includes(201));
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 201 && status !== 409),
    [],
  );
});

test('a redirect is committed before its answer is lost or delayed', async () => {
  const { sandbox } = await service.organization();
  const failed = async () => {
    const { body } = await sandbox.order([emailGift('delivery-failed')]);
    return `/v1/gifts/${body.gifts[0].gift_id}`;
  };
  const to = (localPart: string) => ({ method: 'email', email: `${localPart}@sandbox.gift.test` });
  const lost = await failed();
  await assert.rejects(sandbox.put(`${lost}/delivery`, to('response-lost')), TypeError);
  const { delivery } = (await sandbox.get(lost)).body;
  assert.deepEqual(delivery, { ...to('response-lost'), status: 'sent' });

  const slow = await failed();
  const answer = sandbox.put(`${slow}/delivery`, to('slow'));
  await until(async () => (await sandbox.get(slow)).body.delivery.status === 'sent', 'redirected');
  const [redirected] = await answersOf([answer]);
  assert.equal(redirected?.status, 200);

  assert.equal((await sandbox.put(`${await failed()}/delivery`, to('rate-limited'))).status, 200);
});

test('all balances can be derived from the ledger', async () => {
  await verifyAll(service);
});
