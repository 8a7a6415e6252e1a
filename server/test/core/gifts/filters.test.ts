import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type ApiClient, assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Filters of `GET /v1/orders` and `GET /v1/gifts`.

const service = openForFile(() => startTestService());
let sandbox: ApiClient;
let startMs: number;
/** By name: the order of each gift, a second apart. */
const placed: Record<string, { order_id: string; gifts: { gift_id: string }[] }> = {};

const phone = { method: 'phone', phone: '+44 (0)20 7946 0018' };
const orders: Record<string, object> = {
  opened: { gifts: [emailGift('opened')], external_id: 'A-1', metadata: { team: 'sales', city: 'Bern' } },
  failed: { gifts: [{ ...emailGift('bounced'), external_id: 'row 7', metadata: { team: 'sales' } }] },
  claimed: { gifts: [emailGift('claimed'), { ...linkGift(), category: 'books', external_id: 'row 7' }] },
  phone: { gifts: [gift({ delivery: phone })], metadata: { team: 'office' } },
  ada: {
    gifts: [gift({ delivery: { method: 'email', email: 'Ada@Example.com' }, metadata: { team: 'sales', n: '1' } })],
  },
  processing: { gifts: [linkGift(), emailGift('processing')] },
};

before(async () => {
  ({ sandbox } = await service.organization());
  startMs = service.clock.now();
  for (const [name, body] of Object.entries(orders)) {
    await service.clock.advance(1000);
    placed[name] = (await sandbox.post('/v1/orders', body, { 'Idempotency-Key': name })).body;
  }
});

const at = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();

async function found(list: 'orders' | 'gifts', query: Record<string, string>): Promise<string[]> {
  const { status, body } = await sandbox.get(`/v1/${list}?${new URLSearchParams({ limit: '100', ...query })}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.has_more, false);
  const nameOf = ({ order_id, gift_id }: { order_id?: string; gift_id?: string }) =>
    Object.entries(placed).find(
      ([, order]) => order.order_id === order_id || order.gifts.some((one) => one.gift_id === gift_id),
    )?.[0] ?? '';
  return body.data.map(nameOf);
}

test('gifts are filtered by each filter, and by several', async () => {
  const cases: [query: Record<string, string>, names: string[]][] = [
    [{ status: 'opened' }, ['opened']],
    [{ status: 'failed' }, ['failed']],
    [{ status: 'claimed' }, ['claimed']],
    [{ status: 'sent' }, ['processing', 'ada', 'phone', 'claimed']],
    [{ delivery_method: 'phone' }, ['phone']],
    [{ delivery_method: 'link' }, ['processing', 'claimed']],
    [{ recipient: '+44 20 7946 0018' }, ['phone']],
    [{ recipient: 'ada@EXAMPLE.com' }, ['ada']],
    [{ recipient: '007@example.com' }, []],
    [{ category: 'books' }, ['claimed']],
    [{ external_id: 'row 7' }, ['claimed', 'failed']],
    [{ external_id: 'row 7', status: 'failed' }, ['failed']],
    [{ order_id: placed['claimed']?.order_id ?? '' }, ['claimed', 'claimed']],
    [{ 'metadata[team]': 'sales' }, ['ada', 'failed']],
    [{ 'metadata[team]': 'sales', 'metadata[n]': '1' }, ['ada']],
    [{ 'metadata[team]': 'sale' }, []],
    [{ created_after: at(2), created_before: at(4) }, ['claimed', 'claimed']],
    [{ created_after: at(4), delivery_method: 'email' }, ['ada']],
    [{ status: 'failed', created_after: at(2) }, []],
    [{ category: 'unknown' }, []],
  ];
  for (const [query, names] of cases) assert.deepEqual(await found('gifts', query), names, JSON.stringify(query));
});

test('a canceled gift is found as canceled only, and its refund by kind', async () => {
  const { sandbox: own } = await service.organization();
  const [{ gift_id }] = (await own.order([linkGift()])).body.gifts;
  await own.post(`/v1/gifts/${gift_id}/cancel`);
  const idsOf = async (query: string) =>
    (await own.get(`/v1/gifts?${query}`)).body.data.map((one: { gift_id: string }) => one.gift_id);
  assert.deepEqual([await idsOf('status=canceled'), await idsOf('status=sent')], [[gift_id], []]);
  const [entry] = (await own.get('/v1/balance/entries?kind=refund')).body.data;
  assert.deepEqual([entry.amount, entry.gift_id, entry.order_id], [2500, gift_id, undefined]);
});

test('orders are filtered by their own fields, and by those of one gift', async () => {
  const cases: [query: Record<string, string>, names: string[]][] = [
    [{ status: 'processing' }, ['processing']],
    [{ status: 'processed', delivery_method: 'link' }, ['claimed']],
    [{ external_id: 'A-1' }, ['opened']],
    [{ external_id: 'A-1', status: 'processing' }, []],
    [{ 'metadata[team]': 'sales' }, ['opened']],
    [{ recipient: '+442079460018' }, ['phone']],
    [{ category: 'books' }, ['claimed']],
    // The book is the link gift.
    [{ category: 'books', delivery_method: 'email' }, []],
    [{ created_after: at(5) }, ['processing']],
    [{ created_before: at(2) }, ['opened']],
  ];
  for (const [query, names] of cases) assert.deepEqual(await found('orders', query), names, JSON.stringify(query));
});

test('filtered pages have the cursors of the whole list', async () => {
  const page = async (query: string) => (await sandbox.get(`/v1/gifts?delivery_method=email&limit=2${query}`)).body;
  const first = await page('');
  const [, last] = first.data;
  assert.deepEqual(Object.keys(first), ['object', 'data', 'has_more']);
  const second = await page(`&starting_after=${last.gift_id}`);
  assert.deepEqual([first.has_more, second.data.length, second.has_more], [true, 2, false]);
  assert.deepEqual((await page(`&ending_before=${second.data[0].gift_id}`)).data, first.data);
  // A gift that does not match is a cursor too.
  assert.deepEqual((await page(`&starting_after=${placed['processing']?.gifts[0]?.gift_id}`)).data, first.data);
  assertError(await sandbox.get(`/v1/gifts?status=sent&starting_after=gift_x`), 'cursor_invalid', 'starting_after');
  assertError(await sandbox.get(`/v1/orders?status=processed&ending_before=ord_x`), 'cursor_invalid', 'ending_before');
});

test('filters are parsed strictly', async () => {
  for (const [query, param] of [
    ['status=open', 'status'],
    ['status=', 'status'],
    ['status=sent&status=sent', 'status'],
    ['delivery_method=fax', 'delivery_method'],
    ['recipient=someone', 'recipient'],
    ['recipient=+442079460018', 'recipient'],
    ['recipient=00442079460018', 'recipient'],
    ['external_id=', 'external_id'],
    [`external_id=${'x'.repeat(256)}`, 'external_id'],
    ['category=%00', 'category'],
    ['created_after=1', 'created_after'],
    ['created_before=2026-02-30T00:00:00Z', 'created_before'],
    ['created_after=2026-13-01T00:00:00Z', 'created_after'],
    ['metadata[]=1', 'metadata[]'],
    ['metadata[a%20b]=1', 'metadata[a b]'],
    ['metadata[a]=1&metadata[a]=2', 'metadata[a]'],
    [`metadata[a]=${'x'.repeat(501)}`, 'metadata[a]'],
  ] as const) {
    assertError(await sandbox.get(`/v1/gifts?${query}`), 'parameter_invalid', param);
    assertError(await sandbox.get(`/v1/orders?${query}`), 'parameter_invalid', param);
  }
  assertError(await sandbox.get('/v1/gifts?order_id=ord_1'), 'parameter_invalid', 'order_id');
  assertError(await sandbox.get('/v1/orders?status=sent'), 'parameter_invalid', 'status');
  assertError(await sandbox.get('/v1/orders?order_id=1'), 'parameter_invalid', 'order_id');
});

test('an external_id of 255 characters outside the basic plane is found', async () => {
  const { sandbox: other } = await service.organization();
  const external_id = '🎁'.repeat(255);
  await other.post('/v1/orders', { gifts: [linkGift()], external_id }, { 'Idempotency-Key': 'outside' });
  const { body } = await other.get(`/v1/orders?external_id=${encodeURIComponent(external_id)}`);
  assert.equal(body.data?.length, 1, JSON.stringify(body));
});

test('a search that pauses says where to continue, and finds every match', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([emailGift('neutral')]);
  // Without their orders.
  await service.sql('set session_replication_role = replica');
  await service.sql(
    `insert into gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id, method,
       sender_name, link_expires_at, created_at)
     select $1, 'sandbox', id, id, 0, 1000, 'coffee', 'link', 'x', now(), now()
     from generate_series(1, 4500) n, lateral (
       select ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
     ) made`,
    [organization.organizationUuid],
  );
  await service.sql('set session_replication_role = origin');
  const pages: number[] = [];
  for (let cursor = ''; ; ) {
    const page = (await organization.sandbox.get(`/v1/gifts?delivery_method=email&status=sent${cursor}`)).body;
    pages.push(page.data.length);
    if (!page.has_more) {
      assert.deepEqual(page.data, body.gifts);
      break;
    }
    assert.match(page.next_cursor, /^gift_/);
    cursor = `&starting_after=${page.next_cursor}`;
  }
  assert.deepEqual(pages, [0, 0, 1]);
  const query = `delivery_method=email&status=sent&ending_before=${body.gifts[0].gift_id}`;
  const back = (await organization.sandbox.get(`/v1/gifts?${query}`)).body;
  assert.deepEqual([back.data.length, back.has_more, typeof back.next_cursor], [0, true, 'string']);
});
