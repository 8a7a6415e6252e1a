import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sealChains } from '../../src/capabilities/seals/seal-chains.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { type ApiClient, assertError, emailGift, linkGift } from '../harness/api-client.ts';
import { type DescribedOperation, describedOperations } from '../harness/described-operations.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

/** A caller sees only its own organization: every id and cursor of openapi.json, tried with ids of others. */

type Call = Pick<DescribedOperation, 'operationId' | 'method' | 'path'>;

let service: TestService;
let own: TestOrganization;
let other: TestOrganization;
const operations = describedOperations();
const calls = operations.filter(({ path }) => path.includes('{') && !path.includes('{month}'));
const isCursor = (name: string) => name === 'starting_after' || name === 'ending_before';
const lists = operations.flatMap(({ path, parameters = [] }) => {
  const cursors = parameters.filter((one) => one.in === 'query' && isCursor(one.name)).map(({ name }) => name);
  // The cursors of an endpoint's deliveries are its own events (webhooks/routes.test.ts).
  return cursors.length === 0 || path.includes('{') ? [] : [{ path, cursors }];
});

before(async () => {
  service = await startTestService();
  own = await service.organization();
  other = await service.organization();
});
after(() => service.close());

/** Bodies that all operations accept, so that only the id can be refused. */
const bodies: Record<string, unknown> = {
  redirectGift: { method: 'email', email: 'ada@example.com' },
  simulateDelivery: { outcome: 'failed' },
  updateWebhookEndpoint: { ordered: true },
  resendWebhookDeliveries: { failed: true },
  scheduleGift: { send_at: '2027-01-02T09:00:00Z' },
};

interface Ids {
  order_id: string;
  gift_id: string;
  /** The ledger entry of the order. */
  entry_id: string;
  endpoint_id: string;
  contact_id: string;
  /** Of no delivery. */
  event_id: string;
}

async function addContact(client: ApiClient): Promise<string> {
  const answer = await client.put('/v1/contacts', { delivery: { method: 'email', email: 'ada@example.com' } });
  assert.ok(answer.status === 200 || answer.status === 201);
  return answer.body.contact_id;
}

const endpoints = new Map<ApiClient, string>();

async function addEndpoint(client: ApiClient): Promise<string> {
  const { status, body } = await client.post('/v1/webhook_endpoints', { url: 'https://shop.example/' });
  assert.equal(status, 201);
  return body.endpoint_id;
}

/** A sandbox gift with a failed delivery, which most operations accept, and the client's endpoint. */
async function place(client: ApiClient, environment: Environment, more = {}): Promise<Ids> {
  const gift = environment === 'sandbox' ? emailGift('bounced') : linkGift();
  const { status, body } = await client.order([{ ...gift, ...more }]);
  assert.equal(status, 201);
  const { last_entry } = (await client.get('/v1/balance')).body;
  const endpointId = endpoints.get(client) ?? (await addEndpoint(client));
  endpoints.set(client, endpointId);
  return {
    order_id: body.order_id,
    gift_id: body.gifts[0].gift_id,
    entry_id: last_entry.entry_id,
    endpoint_id: endpointId,
    contact_id: await addContact(client),
    event_id: RANDOM.event_id,
  };
}

const RANDOM: Ids = {
  order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
  gift_id: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  entry_id: 'led_01k0fxw4mze6hv3tqx4d5s8r2p',
  endpoint_id: 'wh_01k0fxw4mze6hv3tqx4d5s8r2p',
  contact_id: 'con_01k0fxw4mze6hv3tqx4d5s8r2p',
  event_id: 'evt_01k0fxw4mze6hv3tqx4d5s8r2p',
};

function malformed({ order_id, gift_id, entry_id, endpoint_id, contact_id, event_id }: Ids): Ids[] {
  const both = (change: (id: string) => string): Ids => ({
    order_id: change(order_id),
    gift_id: change(gift_id),
    entry_id: change(entry_id),
    endpoint_id: change(endpoint_id),
    contact_id: change(contact_id),
    event_id: change(event_id),
  });
  return [
    {
      order_id: gift_id,
      gift_id: order_id,
      entry_id: order_id,
      endpoint_id: gift_id,
      contact_id: gift_id,
      event_id: gift_id,
    },
    both((id) => id.toUpperCase()),
    both((id) => id.slice(id.indexOf('_') + 1)),
    both((id) => `${id}0`),
    both((id) => id.slice(0, -1)),
    both((id) => `${id.slice(0, id.indexOf('_'))}_${'z'.repeat(26)}`),
    both((id) => `${id}%00`),
    both((id) => `%20${id}`),
    both((id) => `${id}%2F`),
    both((id) => `..%2F${id}`),
    both(() => "'%20or%201=1"),
    both(() => '%F0%9F%8E%81'),
    both(() => 'x'),
    both(() => 'x'.repeat(5_000)),
  ];
}

/** Everything of an answer that a caller can compare, without id, time and rate limit. */
async function seen(client: ApiClient, { operationId, method, path }: Call, ids: Ids): Promise<string> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
  const body = bodies[operationId];
  const answer = await client.request(method, filled, body === undefined ? {} : { body });
  const requestId = answer.headers.get('request-id') ?? 'none';
  const headers = [...answer.headers].filter(([name]) => !['date', 'ratelimit'].includes(name));
  return JSON.stringify([answer.status, headers, answer.body]).replaceAll(requestId, 'REQUEST');
}

test('this test covers all operations, lists and kinds of ids of the document', () => {
  assert.deepEqual(calls.map(({ operationId }) => operationId).sort(), [
    'cancelGift',
    'cancelOrder',
    'deleteContact',
    'deleteWebhookEndpoint',
    'enableWebhookEndpoint',
    'listWebhookDeliveries',
    'redirectGift',
    'replaceGiftLink',
    'resendGift',
    'resendWebhookDeliveries',
    'resendWebhookDelivery',
    'retrieveContact',
    'retrieveGift',
    'retrieveOrder',
    'retrieveWebhookEndpoint',
    'rotateWebhookSecret',
    'scheduleGift',
    'simulateClaim',
    'simulateDelivery',
    'simulateOpen',
    'simulateSpend',
    'testWebhookEndpoint',
    'updateWebhookEndpoint',
  ]);
  for (const { path } of calls)
    assert.match(path, /^[^{]+\{(?:order_id|gift_id|endpoint_id|contact_id)\}[^{]*(?:\{event_id\}[^{]*)?$/);
  const cursors = ['starting_after', 'ending_before'];
  assert.deepEqual(lists, [
    { path: '/v1/orders', cursors },
    { path: '/v1/gifts', cursors },
    { path: '/v1/contacts', cursors },
    { path: '/v1/balance/entries', cursors },
  ]);
});

test('foreign, deleted, random and malformed ids get the same bytes', async () => {
  const removed = await addEndpoint(own.sandbox);
  await own.sandbox.request('DELETE', `/v1/webhook_endpoints/${removed}`);
  const deleted = { ...(await place(own.sandbox, 'sandbox')), endpoint_id: removed };
  assert.equal((await own.sandbox.post('/v1/sandbox/reset')).status, 200);
  await own.fund('sandbox', 1_000_000);
  const ids = {
    sandbox: await place(own.sandbox, 'sandbox'),
    live: await place(own.live, 'live'),
    otherSandbox: await place(other.sandbox, 'sandbox'),
    otherLive: await place(other.live, 'live'),
  };
  const kept = async () => [
    await service.sql('select * from gifts order by gift_id'),
    await service.sql('select * from webhook_endpoints order by endpoint_id'),
    await service.sql('select * from contacts order by contact_id'),
  ];
  const before = await kept();
  for (const call of calls)
    for (const environment of ['sandbox', 'live'] as const) {
      const client = own[environment];
      const missing = await seen(client, call, RANDOM);
      const isRefused = environment === 'live' && call.path.startsWith('/v1/sandbox/');
      assert.ok(missing.includes(isRefused ? '"sandbox_endpoint_only"' : '"resource_missing"'), missing);
      const foreign = [environment === 'live' ? ids.sandbox : ids.live, ids.otherSandbox, ids.otherLive, deleted];
      for (const one of [...foreign, ...malformed(ids[environment]), ...malformed(ids.otherSandbox)])
        assert.equal(await seen(client, call, one), missing, `${call.operationId} ${JSON.stringify(one)}`);
    }
  assert.deepEqual(await kept(), before);
  // Control: the same calls find the caller's own resources.
  const isRemoval = ({ method }: Call) => Number(method === 'DELETE');
  for (const call of [...calls].sort((a, b) => isRemoval(a) - isRemoval(b))) {
    // No delivery was pushed.
    if (call.operationId === 'resendWebhookDelivery') continue;
    const isLast = call.operationId.startsWith('cancel');
    const isScheduled = call.operationId === 'scheduleGift';
    const more = isScheduled ? { send_at: '2027-01-01T09:00:00Z' } : {};
    const fresh = isLast || isScheduled ? await place(own.sandbox, 'sandbox', more) : ids.sandbox;
    const found = await seen(own.sandbox, call, fresh);
    assert.ok(found.startsWith('[200,'), `${call.operationId}: ${found}`);
  }
});

const idsOf: Record<string, keyof Ids> = {
  '/v1/orders': 'order_id',
  '/v1/gifts': 'gift_id',
  '/v1/contacts': 'contact_id',
  '/v1/balance/entries': 'entry_id',
};

test('foreign, deleted and random cursors get the same bytes', async () => {
  const gone = await service.organization();
  const deleted = await place(gone.sandbox, 'sandbox');
  await gone.sandbox.post('/v1/sandbox/reset');
  const ids = {
    sandbox: await place(own.sandbox, 'sandbox'),
    live: await place(own.live, 'live'),
    other: [await place(other.sandbox, 'sandbox'), await place(other.live, 'live'), deleted],
  };
  for (const { path, cursors } of lists)
    for (const cursor of cursors)
      for (const environment of ['sandbox', 'live'] as const) {
        const kind = idsOf[path] ?? 'order_id';
        const call = { operationId: '', method: 'GET', path: `${path}?${cursor}={${kind}}` };
        const client = own[environment];
        const missing = await seen(client, call, RANDOM);
        assert.ok(missing.includes('"cursor_invalid"'), missing);
        const otherEnvironment = environment === 'live' ? ids.sandbox : ids.live;
        const { order_id, gift_id } = ids[environment];
        const swapped = { ...RANDOM, order_id: gift_id, gift_id: order_id, entry_id: order_id };
        for (const one of [otherEnvironment, swapped, ...ids.other])
          assert.equal(await seen(client, call, one), missing, `${path} ${cursor} ${JSON.stringify(one)}`);
        assert.ok((await seen(client, call, ids[environment])).startsWith('[200,'));
      }
});

test('the ledger of another organization or environment is not proved', async () => {
  await sealChains(service.service.deps);
  const entryOf = async (client: ApiClient) => (await client.get('/v1/balance')).body.last_entry.entry_id;
  const proofOf = (entryId: string) => own.sandbox.get(`/v1/ledger/proof?entry_id=${entryId}`);
  const ownEntry = await entryOf(own.sandbox);
  for (const id of [await entryOf(own.live), await entryOf(other.sandbox), RANDOM.entry_id, ownEntry.slice(4), 'x'])
    assertError(await proofOf(id), 'resource_missing');
  assert.equal((await proofOf(ownEntry)).status, 200);
});

test('lists and idempotency keys of organizations are separate', async () => {
  const [one, two] = [await service.organization(), await service.organization()];
  const placed = (await one.sandbox.order([linkGift(), linkGift()], 'the key')).body;
  await addEndpoint(one.sandbox);
  for (const client of [two.sandbox, two.live, one.live])
    assert.deepEqual((await client.get('/v1/webhook_endpoints')).body.data, []);
  for (const client of [two.sandbox, two.live, one.live])
    for (const { path } of lists.filter(({ path }) => path !== '/v1/balance/entries'))
      assert.deepEqual((await client.get(`${path}?limit=100`)).body, { object: 'list', data: [], has_more: false });
  for (const client of [two.sandbox, two.live, one.live]) {
    const answer = await client.order([linkGift()], 'the key');
    assert.equal(answer.status, 201);
    assert.notEqual(answer.body.order_id, placed.order_id);
  }
  assert.deepEqual((await one.sandbox.get('/v1/orders')).body.data, [placed]);
});

test('the id of a foreign link gift renews no link', async () => {
  const { body } = await other.sandbox.order([linkGift()]);
  const [{ gift_id }] = body.gifts;
  await service.clock.setTime(service.clock.now() + 31 * 86_400_000);
  for (const client of [own.sandbox, own.live, other.live])
    assertError(await client.get(`/v1/gifts/${gift_id}`), 'resource_missing');
  assert.deepEqual((await other.sandbox.get(`/v1/orders/${body.order_id}`)).body, body);
});
