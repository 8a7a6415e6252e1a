import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bestow, InsufficientBalanceError } from '../../../../sdk/src/index.ts';
import { startBestow } from '../../../testing.js';
import { HUNG_AFTER_MS, until } from '../../harness/server-process.ts';

// What a test suite can ask of its temporary service.

test('the emulator is refilled; its clock finishes orders, sends gifts and ends links', async () => {
  await using emulator = await startBestow({ startWithinMs: HUNG_AFTER_MS });
  const bestow = new Bestow(emulator.sandboxKey, { baseUrl: emulator.baseUrl });
  await bestow.sandbox.reset();
  const order = (email: string) =>
    bestow.orders.create({ gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'email', email } }] });
  await assert.rejects(order('sent@sandbox.gift.test'), InsufficientBalanceError);
  await emulator.addFunds(10_000);
  assert.equal((await bestow.balance.retrieve()).available, 10_000);

  const { order_id, status } = await order('processing@sandbox.gift.test');
  assert.equal(status, 'processing');
  await emulator.advance(30_000);
  const done = await bestow.orders.waitUntilProcessed(order_id, { timeoutMs: HUNG_AFTER_MS });
  assert.equal(done.status, 'processed');

  const send_at = new Date(Date.now() + 86_400_000).toISOString();
  const { gifts } = await bestow.orders.create({
    gifts: [
      { amount: 2500, category: 'coffee', delivery: { method: 'email', email: 'opened@sandbox.gift.test' }, send_at },
    ],
  });
  const later = async () => (await bestow.gifts.retrieve(gifts[0]?.gift_id ?? '')).delivery.status;
  assert.equal(await later(), 'sent');
  await emulator.advance(86_400_000);
  await until(async () => (await later()) === 'opened', 'the scheduled gift is sent');

  const linked = await bestow.orders.create({
    gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }],
  });
  const link = linked.gifts[0]?.delivery.link ?? '';
  assert.equal((await fetch(link)).status, 200);
  await emulator.advance(31 * 86_400_000);
  await until(async () => (await fetch(link)).status !== 200, 'an expired link');
  await assert.rejects(emulator.addFunds(-1), /cents must be/);
  await assert.rejects(emulator.advance(0), /ms must be/);
});
