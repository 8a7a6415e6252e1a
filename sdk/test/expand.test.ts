import assert from 'node:assert/strict';
import { test } from 'node:test';
import { body, clientOf, errorStep } from '../../server/test/harness/scripted-client.ts';
import { drop, html, json, type Step } from '../../server/test/harness/scripted-server.ts';
import type { Gift, GiftParams, GiftPart, Order, With } from '../src/index.ts';

// What `expand` sends, and which parts the types of the answers have: the compiler checks this file, too.

const delivery = { method: 'email', email: 'ada@example.com' } as const;
const when = { send_at: '2027-01-01T00:00:00Z' };

/** Answers as the service does: with the history only if it is asked for. */
const service: Step = (response, request) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const more = (searchParams.get('expand') ?? '').split(',').includes('history') ? { history: { state: 'sent' } } : {};
  const gift = { gift_id: 'gift_1', ...more };
  const order = { order_id: 'ord_1', status: 'processed', external_id: 'po-7', gifts: [gift], ...more };
  const one = pathname.startsWith('/v1/orders') ? order : gift;
  const isList = request.method === 'GET' && /^\/v1\/\w+$/.test(pathname);
  json(200, isList ? { object: 'list', data: [one], has_more: false } : one)(response, request);
};

const asked = { expand: ['history'] } as const;

test('every call of a gift has the parts that it asks for, and no others', async (t) => {
  const { bestow, seen } = await clientOf(t, [service]);
  const { gifts, sandbox } = bestow;
  const plain = [
    await gifts.retrieve('gift_1'),
    await gifts.redirect('gift_1', delivery),
    await gifts.replaceLink('gift_1'),
    await gifts.resend('gift_1'),
    await gifts.schedule('gift_1', when),
    await gifts.cancel('gift_1'),
    await sandbox.deliver('gift_1'),
    await sandbox.open('gift_1'),
    await sandbox.claim('gift_1'),
    await sandbox.spend('gift_1'),
    ...(await gifts.list().page()).data,
  ] as const;
  for await (const gift of gifts.list({ limit: 1 })) {
    // @ts-expect-error not asked for
    assert.equal(gift.history, undefined);
  }
  // @ts-expect-error not asked for
  for (const gift of plain) assert.equal(gift.history, undefined);
  // @ts-expect-error another part was asked for
  assert.equal((await gifts.retrieve('gift_1', { expand: ['card'] })).history, undefined);
  assert.equal(seen.length, plain.length + 2);

  seen.length = 0;
  const whole = [
    await gifts.retrieve('gift_1', { expand: ['history'] }),
    await gifts.redirect('gift_1', delivery, { expand: ['history'] }),
    await gifts.replaceLink('gift_1', { expand: ['history'] }),
    await gifts.resend('gift_1', { expand: ['history'] }),
    await gifts.schedule('gift_1', when, { expand: ['history'] }),
    await gifts.cancel('gift_1', {}, { expand: ['history'] }),
    await sandbox.deliver('gift_1', {}, { expand: ['history'] }),
    await sandbox.open('gift_1', { expand: ['history'] }),
    await sandbox.claim('gift_1', { expand: ['history'] }),
    await sandbox.spend('gift_1', asked),
    ...(await gifts.list({ expand: ['history'] }).page()).data,
    ...(await gifts.list({ expand: ['history'] }).toArray({ limit: 1 })),
  ] as const;
  for await (const gift of gifts.list(asked)) assert.equal(gift.history.state, 'sent');
  for (const { history } of whole) assert.equal(history.state, 'sent');
  assert.equal(seen.length, whole.length + 1);
  assert.ok(seen.every(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('expand') === 'history'));
});

test('every call of an order has the parts that it asks for, in the order and its gifts', async (t) => {
  const { bestow } = await clientOf(t, [service]);
  const { orders } = bestow;
  const found = (await orders.findByExternalId('po-7')) ?? assert.fail();
  const plain = [
    await orders.create(body),
    await orders.retrieve('ord_1'),
    await orders.cancel('ord_1'),
    await orders.waitUntilProcessed('ord_1'),
    ...(await orders.list().page()).data,
    found,
  ] as const;
  for (const order of plain) {
    // @ts-expect-error not asked for
    assert.equal(order.history, undefined);
    // @ts-expect-error not asked for
    assert.equal(order.gifts[0]?.history, undefined);
  }
  const whole = [
    await orders.create(body, { expand: ['history'] }),
    await orders.retrieve('ord_1', { expand: ['history', 'order'] }),
    await orders.cancel('ord_1', {}, { expand: ['history'] }),
    await orders.waitUntilProcessed('ord_1', { expand: ['history'] }),
    ...(await orders.list({ expand: ['history'] }).page()).data,
    (await orders.findByExternalId('po-7', { expand: ['history'] })) ?? assert.fail(),
  ] as const;
  for await (const order of orders.list({ expand: ['history'] })) assert.ok(order.history && order.gifts[0]?.history);
  for (const { history, gifts } of whole) {
    assert.ok(history);
    for (const gift of gifts) assert.equal(gift.history.state, 'sent');
  }
});

test('the compiler refuses unknown parts, and parts that may be absent', async (t) => {
  const { bestow, seen } = await clientOf(t, [service]);
  const { gifts, orders, events, sandbox } = bestow;
  const parts: GiftPart[] = ['history'];
  const params: GiftParams = { expand: parts };
  const chosen = await gifts.retrieve('gift_1', { expand: parts });
  const one: Gift = chosen;
  const two: With<Gift, 'history'> = await gifts.retrieve('gift_1', { expand: ['history', 'card'] });
  const order: Order = await orders.create(body, { expand: ['deliveries'] });
  await events.list({ expand: ['resource', 'history'] });
  await events.list({ expand: 'resource' });
  // @ts-expect-error it is not known which parts were asked for
  chosen.history.state;
  // @ts-expect-error nor in a list
  (await gifts.list(params)).data[0]?.history.state;
  // @ts-expect-error a gift without its history
  const three: With<Gift, 'history'> = await gifts.retrieve('gift_1');
  // @ts-expect-error an order has no messages
  (await orders.create(body, { expand: ['deliveries'] })).deliveries;
  // @ts-expect-error an unknown part
  await gifts.retrieve('gift_1', { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await gifts.redirect('gift_1', delivery, { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await gifts.replaceLink('gift_1', { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await gifts.resend('gift_1', { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await gifts.schedule('gift_1', when, { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await gifts.cancel('gift_1', {}, { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  gifts.list({ expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await sandbox.open('gift_1', { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await orders.create(body, { expand: ['history', 'histroy'] });
  // @ts-expect-error an unknown part
  await orders.retrieve('ord_1', { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await orders.cancel('ord_1', {}, { expand: ['histroy'] });
  // @ts-expect-error an unknown part
  orders.list({ expand: ['histroy'] });
  // @ts-expect-error an unknown part
  await events.list({ expand: ['resource', 'histroy'] });
  // @ts-expect-error parts are of the resource
  await events.list({ expand: ['history'] });
  // @ts-expect-error only gifts and orders have parts
  await assert.rejects(sandbox.reset({ expand: ['history'] }), TypeError);
  assert.equal(new Set([one, two, three, order]).size, 4);
  assert.equal(seen.filter(({ url }) => url.includes('histroy')).length, 11, 'the service refuses them');
});

test('a retry asks for the same parts with the same key', async (t) => {
  const { bestow, seen } = await clientOf(t, [drop, html(502), errorStep('internal_error'), service]);
  const { history } = await bestow.orders.create(body, { expand: ['history', 'card'] });
  assert.ok(history);
  const sent = seen.map(({ url, idempotencyKey, body: text }) => [url, idempotencyKey, text]);
  assert.deepEqual(
    sent,
    Array(4).fill(['/v1/orders?expand=history%2Ccard', seen[0]?.idempotencyKey, JSON.stringify(body)]),
  );
});

test('events have parts behind their resource, and no parts are not sent', async (t) => {
  const { bestow, seen } = await clientOf(t, [service]);
  await bestow.events.list({ expand: ['resource', 'history'] });
  await bestow.gifts.retrieve('gift_1', { expand: [] });
  await bestow.gifts.list({ expand: [] }).page();
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/v1/events?expand=resource%2Chistory', '/v1/gifts/gift_1', '/v1/gifts'],
  );
});
