import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectAgent } from '../../harness/agent.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Tools that act on gifts that were bought, and that wait for what happens to them.

const service = openForFile(() => startTestService());

async function sandboxAgent() {
  const organization = await service.organization();
  return { organization, agent: await connectAgent(service.url, organization.keys.sandbox) };
}

async function bought(agent: Awaited<ReturnType<typeof sandboxAgent>>['agent'], ...gifts: object[]) {
  const { body } = await agent.call('place_order', await agent.preview({ gifts }));
  return { orderId: body.order_id as string, giftIds: body.gifts.map((one: { gift_id: string }) => one.gift_id) };
}

test('cancel_order takes every unclaimed gift back, once', async () => {
  const { organization, agent } = await sandboxAgent();
  const { orderId } = await bought(agent, linkGift(), emailGift('claimed'));
  for (let time = 1; time <= 2; time += 1) {
    const { body } = await agent.call('cancel_order', { order_id: orderId, reason: 'Ordered twice' });
    assert.deepEqual(
      body.gifts.map(({ cancellation }: { cancellation?: { reason: string } }) => cancellation?.reason),
      ['Ordered twice', undefined],
    );
  }
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
});

test('resend_gift with a key sends once, and says when the gift was last sent', async () => {
  const { agent } = await sandboxAgent();
  const { giftIds } = await bought(agent, emailGift('delivered'));
  const [gift_id] = giftIds;
  const atFirst = (await agent.call('get_gift', { gift_id })).body.last_sent_at;
  assert.equal(atFirst, '2026-11-21T12:00:00.000Z');
  await service.clock.jump(60_000);
  const resend = () => agent.call('resend_gift', { gift_id, idempotency_key: 'once' });
  const sent = await resend();
  const lastSent = sent.body.last_sent_at;
  assert.equal(new Date(lastSent).getTime() - new Date(atFirst).getTime(), 60_000);
  await service.clock.jump(60_000);
  assert.deepEqual(await resend(), sent);
  assert.deepEqual((await agent.call('get_gift', { gift_id })).body.last_sent_at, lastSent);
  const reused = await agent.call('resend_gift', {
    gift_id: (await bought(agent, emailGift('x'))).giftIds[0],
    idempotency_key: 'once',
  });
  const { code, param } = reused.body.error;
  assert.deepEqual([code, param], ['idempotency_key_reused', 'idempotency_key']);
});

test('replace_link ends the earlier link, and once per key', async () => {
  const { agent } = await sandboxAgent();
  const { giftIds } = await bought(agent, linkGift());
  const [gift_id] = giftIds;
  const earlier = (await agent.call('get_gift', { gift_id })).body.delivery.link;
  const replace = () => agent.call('replace_link', { gift_id, idempotency_key: 'once' });
  const { link } = (await replace()).body.delivery;
  assert.notEqual(link, earlier);
  assert.equal((await replace()).body.delivery.link, link);
});

test('schedule_gift changes when a gift is sent', async () => {
  const { agent } = await sandboxAgent();
  const waiting = gift({
    delivery: { method: 'email', email: 'delivered@sandbox.gift.test' },
    send_at: '2026-12-24T09:00:00Z',
  });
  const { giftIds } = await bought(agent, waiting);
  const [gift_id] = giftIds;
  assert.equal((await agent.call('get_gift', { gift_id })).body.last_sent_at, undefined);
  const { body } = await agent.call('schedule_gift', { gift_id, send_at: '2026-12-25T09:00:00Z' });
  assert.equal(new Date(body.scheduled_for).toISOString(), '2026-12-25T09:00:00.000Z');
});

test('wait_for_events begins now, waits a bounded time, and misses no event', async () => {
  const { agent } = await sandboxAgent();
  await bought(agent, linkGift());
  const { body: now } = await agent.call('wait_for_events', { wait: 0 });
  assert.deepEqual([now.data, now.has_more], [[], false]);
  const { giftIds } = await bought(agent, emailGift('delivered'));
  const { body: next } = await agent.call('wait_for_events', { after: now.next_after, wait: 20 });
  assert.deepEqual(
    next.data.map(({ type }: { type: string }) => type),
    ['order.created', 'gift.delivered'],
  );
  assert.equal(next.data[1].data.gift_id, giftIds[0]);
  const waiting = agent.call('wait_for_events', { after: next.next_after, types: 'gift.canceled' });
  await agent.call('cancel_gift', { gift_id: giftIds[0] });
  await service.clock.advance(1_000);
  assert.equal((await waiting).body.data[0].type, 'gift.canceled');
  const { body: all } = await agent.call('wait_for_events', { after: 0 });
  assert.equal(all.data[0].sequence, 1);
});

test('an order that is processing says what to call next, in every answer', async () => {
  const { organization, agent } = await sandboxAgent();
  const placing = await agent.preview({ gifts: [linkGift(), emailGift('processing')] });
  const { body: placed } = await agent.call('place_order', placing);
  const { order_id } = placed;
  const answers = [
    placed,
    (await agent.call('place_order', placing)).body,
    (await agent.call('get_order', { order_id })).body,
    (await agent.call('list_orders', { status: 'processing' })).body.data[0],
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 'processing');
    assert.match(
      answer.next_step,
      /^The order is paid for; .* Call get_order with this order_id .* Do not place it again\.$/,
    );
  }
  await agent.call('cancel_order', { order_id });
  const { body: done } = await agent.call('get_order', { order_id });
  assert.deepEqual([done.status, done.next_step], ['processed', undefined]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
});
