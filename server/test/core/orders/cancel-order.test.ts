import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, emailGift, linkGift } from '../../harness/api-client.ts';
import { typesDuring } from '../../harness/events.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

type Gift = { delivery: { status: string }; cancellation?: { refunded: number } };
const refunds = (gifts: Gift[]) => gifts.map(({ cancellation }) => cancellation?.refunded ?? 0);

test('every unclaimed gift of an order is canceled, and claimed ones stay', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { body: order } = await sandbox.order([linkGift(1000), emailGift('claimed', 2000), emailGift('bounced', 3000)]);
  const { status, body } = await sandbox.post(`/v1/orders/${order.order_id}/cancel`, { reason: 'Called off' });
  assert.deepEqual([status, body.status, refunds(body.gifts)], [200, 'processed', [1000, 0, 3000]]);
  assert.deepEqual(
    body.gifts.map(({ delivery }: Gift) => delivery.status),
    ['sent', 'claimed', 'failed'],
  );
  assert.equal(await balanceOf(service, organization, 'sandbox'), 998_000);
  const again = await sandbox.post(`/v1/orders/${order.order_id}/cancel`);
  assert.deepEqual([again.status, again.body], [200, body]);
  const entries = await service.sql<{ balance: number }>(
    `select balance_after_cents::integer as balance from ledger_entries
     where organization_id = $1 and environment = 'sandbox' order by entry_id`,
    [organization.organizationUuid],
  );
  assert.deepEqual(
    entries.map(({ balance }) => balance),
    [1_000_000, 994_000, 995_000, 998_000],
  );
  await verifyAll(service);
});

test('one event names the order and one each canceled gift, in the order of the gifts', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([linkGift(1000), linkGift(2000)]);
  await organization.sandbox.post(`/v1/orders/${order.order_id}/cancel`);
  const events = await service.sql<{ type: string; refunded: string }>(
    `select type, data->'cancellation'->>'refunded' as refunded from events
     where organization_id = $1 and environment = 'sandbox' and type like '%.canceled' order by sequence`,
    [organization.organizationUuid],
  );
  assert.deepEqual(
    events.map(({ type, refunded }) => [type, refunded]),
    [
      ['order.canceled', '3000'],
      ['gift.canceled', '1000'],
      ['gift.canceled', '2000'],
    ],
  );
});

test('a processing order that is canceled is first told as processed', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([linkGift(1000), emailGift('processing', 2000)]);
  const types = await typesDuring(service, organization, 'sandbox', async () => {
    await organization.sandbox.post(`/v1/orders/${order.order_id}/cancel`);
    await service.clock.advance(60_000);
  });
  assert.deepEqual(types, ['order.processed', 'order.canceled', 'gift.canceled', 'gift.canceled']);
});

test('gifts that a processing order has not created are canceled and refunded', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const ordered = [linkGift(1000), emailGift('processing', 2000), emailGift('claimed', 3000)];
  const { body: order } = await sandbox.order(ordered, 'processing');
  assert.deepEqual([order.status, order.gifts.length], ['processing', 1]);
  const { body } = await sandbox.post(`/v1/orders/${order.order_id}/cancel`);
  assert.deepEqual([body.status, refunds(body.gifts)], ['processed', [1000, 2000, 3000]]);
  assert.deepEqual(
    body.gifts.map(({ delivery }: Gift) => delivery.status),
    ['sent', 'sent', 'sent'],
  );
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
  await service.clock.advance(60_000);
  assert.deepEqual((await sandbox.get(`/v1/orders/${order.order_id}`)).body, body);
  assert.deepEqual((await sandbox.order(ordered, 'processing')).body, body);
  await verifyAll(service);
});

test('an order of claimed gifts only cannot be canceled, and an unknown one is missing', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([emailGift('claimed')]);
  assertError(await organization.sandbox.post(`/v1/orders/${order.order_id}/cancel`), 'gift_already_redeemed');
  assertError(await organization.live.post(`/v1/orders/${order.order_id}/cancel`), 'resource_missing');
  assertError(await organization.live.post('/v1/orders/nonsense/cancel'), 'resource_missing');
});

test('an Idempotency-Key cancels an order once', async () => {
  const organization = await service.organization();
  const { body: order } = await organization.sandbox.order([linkGift()]);
  const headers = { 'Idempotency-Key': 'cancel the order' };
  const path = `/v1/orders/${order.order_id}/cancel`;
  const answers = [];
  for (let time = 0; time < 2; time += 1) answers.push(await organization.sandbox.post(path, {}, headers));
  assert.deepEqual(answers[0]?.body, answers[1]?.body);
  assert.equal(answers[1]?.headers.get('idempotent-replayed'), 'true');
  assertError(await organization.sandbox.post(path, { reason: 'x' }, headers), 'idempotency_key_reused');
});
