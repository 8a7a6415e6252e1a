import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { steeringAddresses } from '../../../src/core/sandbox/steering.ts';
import { type Answer, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { blankGift } from '../../harness/portal-gifts.ts';
import { copyOrder } from '../../harness/portal-reads.ts';
import { untilLogged } from '../../harness/request-log.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

/** What the portal's pages of orders, of the request log and of testing are made of. */

const UNKNOWN_ORDER = 'ord_01h455vb4pex5vsknk084sn02q';
const UNKNOWN_REQUEST = 'req_01h455vb4pex5vsknk084sn02q';

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const member = openForFile(() => createPortalClient(service, 'member@example.com'));
/** As the portal names it. */
const key = openForFile<{ key_id: string; hint: string }>(async () => (await get('/keys')).body.data[0]);

const at = (path: string, environment = 'sandbox') =>
  `/organizations/${organization.organizationId}/${environment}${path}`;
const get = (path: string, environment?: string) => member.call('GET', at(path, environment));
const now = () => new Date(service.clock.now()).toISOString();

/** What the list says of an order that was placed just now. */
const summaryOf = ({ body }: Answer, idempotency_key: string, more: object) => ({
  order_id: body.order_id,
  status: 'processed',
  created_at: now(),
  idempotency_key,
  key: { key_id: key.key_id, name: 'test', hint: key.hint },
  member: { member_id: organization.memberId, email: 'admin@example.com' },
  ...more,
});

test('orders are listed, found and shown with their gifts and debit', async () => {
  const first = await organization.sandbox.order([linkGift(1000)], 'first');
  const ofFirst = summaryOf(first, 'first', { amount: 1000, gift_count: 1 });
  await service.clock.jump(3_600_000);
  const ada = gift({ amount: 4000, personalization: { recipient_name: 'Ada' } });
  const second = await organization.sandbox.order([ada, emailGift('processing')], 'second');
  const ofSecond = summaryOf(second, 'second', { status: 'processing', amount: 6500, gift_count: 2 });
  const end = { older: null, newer: null, searched_to: null };

  assert.deepEqual((await get('/orders')).body, { data: [ofSecond, ofFirst], ...end });
  assert.deepEqual((await get('/orders?limit=1')).body, { ...end, data: [ofSecond], older: ofSecond.order_id });
  assert.deepEqual((await get(`/orders?limit=1&after=${ofSecond.order_id}`)).body, {
    ...end,
    data: [ofFirst],
    newer: ofFirst.order_id,
  });
  for (const query of ['query=second', `query=${ofSecond.order_id}`, `from=${now()}`, `query=second&to=`])
    assert.deepEqual((await get(`/orders?${query}`)).body, { data: [ofSecond], ...end }, query);
  assert.deepEqual((await get(`/orders?to=${now()}`)).body, { data: [ofFirst], ...end });
  assert.deepEqual((await get('/orders', 'live')).body, { data: [], ...end });

  const { status, body } = await get(`/orders/${ofSecond.order_id}`);
  const { gift_id } = body.gifts[0];
  const { entry_id } = body.entry;
  assert.deepEqual([status, gift_id.slice(0, 5), entry_id.slice(0, 4)], [200, 'gift_', 'led_']);
  assert.deepEqual(body, {
    ...ofSecond,
    completes_at: new Date(service.clock.now() + 20_000).toISOString(),
    pending_gift_count: 1,
    gifts: [
      {
        ...blankGift,
        gift_id,
        order_id: ofSecond.order_id,
        status: 'sent',
        amount: 4000,
        category: { id: 'coffee', name: 'coffee' },
        method: 'email',
        address: 'someone@example.com',
        recipient_name: 'Ada',
        sender_name: 'Test Organization',
        created_at: now(),
        state: 'sent',
        is_kept: false,
      },
    ],
    entry: {
      entry_id,
      kind: 'order',
      amount: -6500,
      balance_after: 992_500,
      order_id: ofSecond.order_id,
      gift_id: null,
      reference: null,
      note: null,
      created_at: now(),
    },
  });
  await service.clock.advance(22_000);
  const shown = async () => (await get(`/orders/${ofSecond.order_id}`)).body;
  await until(async () => (await shown()).status === 'processed', 'the rest is made');
  const gifts = (await get('/gifts')).body.data.toReversed().slice(1);
  assert.deepEqual(
    gifts.map(({ amount }: { amount: number }) => amount),
    [4000, 2500],
  );
  const done = { status: 'processed', completes_at: null, pending_gift_count: 0, gifts };
  assert.deepEqual(await shown(), { ...body, ...done });
  await organization.sandbox.post('/v1/sandbox/reset');
});

test('an order shows its references, and is found by a part of them', async () => {
  await organization.fund('sandbox', 1_000_000);
  const references = { external_id: 'Summer-2026/77', metadata: { team: 'Sales', city: 'Bern' } };
  const place = (more: object, key: string) =>
    organization.sandbox.post('/v1/orders', { gifts: [linkGift()], ...more }, { 'Idempotency-Key': key });
  const { body } = await place(references, 'referred');
  await place({}, 'plain');
  const shown = (await get(`/orders/${body.order_id}`)).body;
  assert.deepEqual({ external_id: shown.external_id, metadata: shown.metadata }, references);
  const found = async (query: string) =>
    (await get(`/orders?query=${encodeURIComponent(query)}`)).body.data.map(
      ({ order_id }: { order_id: string }) => order_id,
    );
  for (const query of ['Summer-2026/77', 'summer-2026', 'SALES', 'bern', '"team"'])
    assert.deepEqual(await found(query), [body.order_id], query);
  assert.deepEqual(await found('winter'), []);
  await organization.sandbox.post('/v1/sandbox/reset');
});

test('the export has every matching order in decimals and no formula', async () => {
  await organization.fund('sandbox', 1_000_000);
  const { body } = await organization.sandbox.post(
    '/v1/orders',
    { gifts: [linkGift(1050)], external_id: '-7', metadata: { team: 'sales' } },
    { 'Idempotency-Key': '=1+1,"2"' },
  );
  const { status, headers, body: file } = await get('/orders.csv');
  assert.deepEqual(
    [status, headers.get('content-type'), headers.get('content-disposition')],
    [200, 'text/csv; charset=utf-8', 'attachment; filename="orders-sandbox.csv"'],
  );
  const head =
    'Order,Ordered at (UTC),Status,Amount (USD),Gifts,Idempotency key,API key,API key hint,Attributed to,External id,Metadata (JSON)';
  assert.equal(
    file,
    `${head}\r\n${body.order_id},${now()},processed,10.50,1,"'=1+1,""2""",test,${key.hint},admin@example.com,'-7,"{""team"":""sales""}"\r\n`,
  );
  await copyOrder(service, organization, 900);
  const lines = (await get(`/orders.csv?from=${now()}`)).body.trimEnd().split('\r\n');
  assert.equal(new Set(lines).size, 902);
  assert.equal((await get('/orders.csv?query=none')).body, `${head}\r\n`);
});

test('the request log is filtered, and one request is shown', async () => {
  const answer = await organization.live.order([gift({ amount: 1 })]);
  const request_id = answer.headers.get('request-id') ?? '';
  await organization.live.get('/v1/gifts');
  await untilLogged(service, organization, 'live', 2);
  const live = (await get('/keys', 'live')).body.data[0];
  const { status, body } = await get(`/requests/${request_id}`, 'live');
  const { created_at, duration_ms, ...rest } = body;
  assert.ok(status === 200 && duration_ms > 0 && !Number.isNaN(Date.parse(created_at)));
  const summary = {
    request_id,
    method: 'POST',
    path: '/v1/orders',
    status: 422,
    error_code: 'parameter_invalid',
    key_id: live.key_id,
    tool: null,
  };
  const sent = { gifts: [gift({ amount: 1, delivery: { method: 'email', email: 's•••@example.com' } })] };
  assert.deepEqual(rest, {
    ...summary,
    error_message: answer.body.error.message,
    error_param: 'gifts[0].amount',
    client_address: '127.0.0.1',
    tool: null,
    client: null,
    body: JSON.stringify(sent),
    body_bytes: JSON.stringify({ gifts: [gift({ amount: 1 })] }).length,
    answer: null,
    answer_bytes: Buffer.byteLength(JSON.stringify(answer.body)),
  });

  const listed = { ...summary, created_at, duration_ms };
  for (const query of ['outcome=failed', 'outcome=client_error', 'method=POST', 'path=/v1/o'])
    assert.deepEqual(
      (await get(`/requests?${query}`, 'live')).body,
      { data: [listed], older: null, newer: null, searched_to: null },
      query,
    );
  assert.equal((await get(`/requests?key=${live.key_id}`, 'live')).body.data.length, 2);
  for (const query of ['outcome=server_error', 'method=PUT', 'path=/v2', `key=${key.key_id}`])
    assert.deepEqual((await get(`/requests?${query}`, 'live')).body.data, [], query);
  const [newest] = (await get('/requests?limit=1', 'live')).body.data;
  assert.deepEqual((await get(`/requests?after=${newest.request_id}`, 'live')).body.data, [listed]);
});

test('foreign orders and requests are answered like unknown ones', async () => {
  const stranger = await service.organization();
  const foreign = await stranger.sandbox.order([linkGift()]);
  const own = await organization.live.order([linkGift()]);
  const requestOf = ({ headers }: Answer) => headers.get('request-id');
  await untilLogged(service, stranger, 'sandbox', 1);
  await untilLogged(service, organization, 'live', 1);
  const ids = [
    ...[foreign.body.order_id, own.body.order_id, UNKNOWN_ORDER, 'x'].map((id) => `/orders/${id}`),
    ...[requestOf(foreign), requestOf(own), UNKNOWN_REQUEST, 'x'].map((id) => `/requests/${id}`),
  ];
  for (const path of ids) {
    const { status, body, headers } = await get(path);
    const message = 'Not found.';
    const error = { code: 'not_found', message, request_id: headers.get('request-id') };
    assert.deepEqual([status, body], [404, { error }], path);
  }
  for (const cursor of [foreign.body.order_id, own.body.order_id, UNKNOWN_ORDER, 'x']) {
    const { status, body } = await get(`/orders?after=${cursor}`);
    assert.deepEqual([status, body.error.code, body.error.param], [422, 'cursor_invalid', 'after'], cursor);
  }
  assert.equal((await get(`/orders/${own.body.order_id}`, 'live')).status, 200);
});

test('an invalid parameter is refused by name', async () => {
  const cases = [
    ['/orders?from=yesterday', 'from'],
    ['/orders?to=2026-13-01T00:00:00Z', 'to'],
    ['/orders?status=processed', 'status'],
    ['/orders?limit=101', 'limit'],
    [`/orders?after=${UNKNOWN_ORDER}&before=${UNKNOWN_ORDER}`, 'before'],
    [`/orders?query=${'x'.repeat(301)}`, 'query'],
    ['/orders?query=%00', 'query'],
    ['/orders.csv?after=x', 'after'],
    ['/orders.csv?from=2026', 'from'],
    ['/requests?outcome=odd', 'outcome'],
    ['/requests?method=get', 'method'],
    ['/requests?key=test', 'key'],
    ['/requests?after=x', 'after'],
  ] as const;
  for (const [path, param] of cases) {
    const { status, body } = await get(path);
    assert.deepEqual([status, body.error.param], [422, param], path);
  }
});

test('testing names every steering address in full', async () => {
  const { body } = await member.call('GET', '/testing');
  assert.equal(body.has_outbox, true);
  assert.deepEqual(
    body.steering,
    steeringAddresses.map(({ effect, localParts, phone, description }) => ({
      effect,
      emails: localParts.map((localPart) => `${localPart}@sandbox.gift.test`),
      phone,
      description,
    })),
  );
});
