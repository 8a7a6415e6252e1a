import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Bestow } from '../src/index.ts';
import { OPERATIONS } from '../src/operations.ts';

// The client covers the interface: each operation has a method, which sends it.

const delivery = { method: 'email', email: 'ada@example.com' } as const;
/** A call of each operation; one that was added since is generated, and needs none. */
const calls: Record<string, (bestow: Bestow) => PromiseLike<unknown>> = {
  getHealth: (b) => b.health(),
  getOpenapi: (b) => b.openapi(),
  listCategories: (b) => b.categories.list(),
  createOrder: (b) => b.orders.create({ gifts: [] }),
  listOrders: (b) => b.orders.list(),
  cancelOrder: (b) => b.orders.cancel('ord_1'),
  retrieveOrder: (b) => b.orders.retrieve('ord_1'),
  listGifts: (b) => b.gifts.list(),
  retrieveGift: (b) => b.gifts.retrieve('gift_1'),
  redirectGift: (b) => b.gifts.redirect('gift_1', delivery),
  replaceGiftLink: (b) => b.gifts.replaceLink('gift_1'),
  resendGift: (b) => b.gifts.resend('gift_1'),
  cancelGift: (b) => b.gifts.cancel('gift_1'),
  scheduleGift: (b) => b.gifts.schedule('gift_1', { send_at: '2027-01-01T00:00:00Z' }),
  listContacts: (b) => b.contacts.list(),
  saveContact: (b) => b.contacts.save({ delivery }),
  retrieveContact: (b) => b.contacts.retrieve('con_1'),
  deleteContact: (b) => b.contacts.delete('con_1', { unsent_gifts: 'keep' }),
  retrieveBalance: (b) => b.balance.retrieve(),
  listBalanceEntries: (b) => b.balance.entries(),
  retrieveLedgerStatement: (b) => b.ledger.statement('2026-11'),
  retrieveLedgerCheckpoint: (b) => b.ledger.checkpoint(),
  retrieveLedgerProof: (b) => b.ledger.proveEntry('ent_1'),
  simulateDelivery: (b) => b.sandbox.deliver('gift_1'),
  simulateOpen: (b) => b.sandbox.open('gift_1'),
  simulateClaim: (b) => b.sandbox.claim('gift_1'),
  simulateSpend: (b) => b.sandbox.spend('gift_1'),
  resetSandbox: (b) => b.sandbox.reset(),
  createWebhookEndpoint: (b) => b.webhookEndpoints.create({ url: 'https://shop.example/bestow' }),
  listWebhookEndpoints: (b) => b.webhookEndpoints.list(),
  retrieveWebhookEndpoint: (b) => b.webhookEndpoints.retrieve('we_1'),
  updateWebhookEndpoint: (b) => b.webhookEndpoints.update('we_1', { status: 'disabled' }),
  deleteWebhookEndpoint: (b) => b.webhookEndpoints.delete('we_1'),
  rotateWebhookSecret: (b) => b.webhookEndpoints.rotateSecret('we_1'),
  enableWebhookEndpoint: (b) => b.webhookEndpoints.enable('we_1'),
  testWebhookEndpoint: (b) => b.webhookEndpoints.test('we_1'),
  listWebhookDeliveries: (b) => b.webhookEndpoints.deliveries('we_1'),
  resendWebhookDelivery: (b) => b.webhookEndpoints.resendDelivery('we_1', 'evt_1'),
  resendWebhookDeliveries: (b) => b.webhookEndpoints.resendDeliveries('we_1', { failed: true }),
  listEvents: (b) => b.events.list(),
};

interface Described {
  operationId: keyof typeof OPERATIONS;
  parameters?: { name: string }[];
  requestBody?: { required?: boolean };
}
interface Document {
  paths: Record<string, Record<string, Described>>;
}
const operations = Object.entries((JSON.parse(readFileSync('openapi.json', 'utf8')) as Document).paths).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

for (const { method, path, operation } of operations.filter((one) => one.operation.operationId in calls))
  test(`the client sends ${method} ${path}, with the key and the body that it takes`, async () => {
    const answer = OPERATIONS[operation.operationId] as { mark?: string };
    const sent: [url: string, init: RequestInit][] = [];
    const bestow = new Bestow('key', {
      baseUrl: 'http://localhost:3000',
      fetch: async (url, init) => {
        sent.push([String(url), init ?? {}]);
        return Response.json({ [answer.mark ?? 'openapi']: 'x', data: [], has_more: false });
      },
    });
    await calls[operation.operationId]?.(bestow);
    const [[url, init] = ['', {}]] = sent;
    const pattern = `^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`;
    assert.deepEqual([init.method, sent.length], [method.toUpperCase(), 1]);
    assert.match(new URL(url).pathname, new RegExp(pattern));
    const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
    assert.equal(new Headers(init.headers).has('Idempotency-Key'), takesKey);
    if (operation.requestBody?.required) assert.equal(typeof init.body, 'string');
    assert.equal(init.cache, 'no-store');
  });
