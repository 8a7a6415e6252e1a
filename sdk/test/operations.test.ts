import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Bestow } from '../src/index.ts';
import { OPERATIONS } from '../src/operations.ts';

// The client covers the interface: each operation has a method, which sends it.

const delivery = { method: 'email', email: 'ada@example.com' } as const;
/** One call of each operation, in the order of openapi.json. */
const calls: ((bestow: Bestow) => PromiseLike<unknown>)[] = [
  (b) => b.health(),
  (b) => b.openapi(),
  (b) => b.categories.list(),
  (b) => b.orders.create({ gifts: [] }),
  (b) => b.orders.list(),
  (b) => b.orders.cancel('ord_1'),
  (b) => b.orders.retrieve('ord_1'),
  (b) => b.gifts.list(),
  (b) => b.gifts.retrieve('gift_1'),
  (b) => b.gifts.redirect('gift_1', delivery),
  (b) => b.gifts.replaceLink('gift_1'),
  (b) => b.gifts.resend('gift_1'),
  (b) => b.gifts.cancel('gift_1'),
  (b) => b.gifts.schedule('gift_1', { send_at: '2027-01-01T00:00:00Z' }),
  (b) => b.contacts.list(),
  (b) => b.contacts.save({ delivery }),
  (b) => b.contacts.retrieve('con_1'),
  (b) => b.contacts.delete('con_1', { unsent_gifts: 'keep' }),
  (b) => b.balance.retrieve(),
  (b) => b.balance.entries(),
  (b) => b.ledger.statement('2026-11'),
  (b) => b.ledger.checkpoint(),
  (b) => b.ledger.proveEntry('ent_1'),
  (b) => b.sandbox.deliver('gift_1'),
  (b) => b.sandbox.open('gift_1'),
  (b) => b.sandbox.claim('gift_1'),
  (b) => b.sandbox.spend('gift_1'),
  (b) => b.sandbox.reset(),
  (b) => b.webhookEndpoints.create({ url: 'https://shop.example/bestow' }),
  (b) => b.webhookEndpoints.list(),
  (b) => b.webhookEndpoints.retrieve('we_1'),
  (b) => b.webhookEndpoints.update('we_1', { status: 'disabled' }),
  (b) => b.webhookEndpoints.delete('we_1'),
  (b) => b.webhookEndpoints.rotateSecret('we_1'),
  (b) => b.webhookEndpoints.enable('we_1'),
  (b) => b.webhookEndpoints.test('we_1'),
  (b) => b.webhookEndpoints.deliveries('we_1'),
  (b) => b.webhookEndpoints.resendDelivery('we_1', 'evt_1'),
  (b) => b.webhookEndpoints.resendDeliveries('we_1', { failed: true }),
  (b) => b.events.list(),
];

interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string }[]; requestBody?: { required?: boolean } }>>;
}
const operations = Object.entries((JSON.parse(readFileSync('openapi.json', 'utf8')) as Document).paths).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

for (const [index, { method, path, operation }] of operations.entries())
  test(`the client sends ${method} ${path}, with the key and the body that it takes`, async () => {
    const answer = Object.values(OPERATIONS)[index] as { mark?: string };
    const sent: [url: string, init: RequestInit][] = [];
    const bestow = new Bestow('key', {
      baseUrl: 'http://localhost:3000',
      fetch: async (url, init) => {
        sent.push([String(url), init ?? {}]);
        return Response.json({ [answer.mark ?? 'openapi']: 'x', data: [], has_more: false });
      },
    });
    await calls[index]?.(bestow);
    const [[url, init] = ['', {}]] = sent;
    const pattern = `^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`;
    assert.deepEqual([init.method, sent.length], [method.toUpperCase(), 1]);
    assert.match(new URL(url).pathname, new RegExp(pattern));
    const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
    assert.equal(new Headers(init.headers).has('Idempotency-Key'), takesKey);
    if (operation.requestBody?.required) assert.equal(typeof init.body, 'string');
    assert.equal(init.cache, 'no-store');
  });
