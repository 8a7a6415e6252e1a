import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Lists of `/v1` by `Accept: text/csv`.

const service = openForFile(() => startTestService());

const csv = async (key: string, path: string, accept = 'text/csv') => {
  const headers = { Authorization: `Bearer ${key}`, Accept: accept };
  const response = await fetch(`${service.url}${path}`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

/** The lines without the byte order mark. */
const linesOf = (text: string) => text.replace('\ufeff', '').trimEnd().split('\r\n');

test('each list comes as CSV with the same filters, and formulas are quoted', async () => {
  const { sandbox, keys } = await service.organization();
  const named = { ...linkGift(1000), external_id: '=1+1', metadata: { team: 'sales' } };
  const { body } = await sandbox.post(
    '/v1/orders',
    { gifts: [named, emailGift('opened')] },
    { 'Idempotency-Key': 'a' },
  );
  const gifts = await csv(keys.sandbox, '/v1/gifts?delivery_method=link');
  assert.deepEqual([gifts.status, gifts.type], [200, 'text/csv; charset=utf-8']);
  const at = '2026-11-21T12:00:00.000Z';
  assert.deepEqual(linesOf(gifts.text), [
    'gift_id,created_at,amount,category,delivery.method,delivery.status,delivery.email,delivery.phone,personalization.recipient_name,personalization.sender_name,external_id,metadata,cancellation.canceled_at,cancellation.reason,cancellation.refunded,scheduled_for',
    `${body.gifts[0].gift_id},${at},1000,coffee,link,sent,,,,Test Organization,'=1+1,"{""team"":""sales""}",,,,`,
  ]);
  assert.deepEqual(linesOf((await csv(keys.sandbox, '/v1/orders')).text), [
    'order_id,created_at,status,gift_count,amount,external_id,metadata',
    `${body.order_id},${at},processed,2,3500,,`,
  ]);
  const [, entry] = linesOf((await csv(keys.sandbox, '/v1/balance/entries?kind=order')).text);
  assert.match(entry ?? '', new RegExp(`^led_\\w+,${at},order,-3500,996500,${body.order_id},,$`));
});

test('the CSV of a processing order counts all its gifts and its whole amount', async () => {
  const { sandbox, keys } = await service.organization();
  const { body } = await sandbox.order([linkGift(1000), { ...emailGift('processing'), amount: 2500 }]);
  assert.equal(body.gifts.length, 1);
  const [, row] = linesOf((await csv(keys.sandbox, '/v1/orders')).text);
  assert.equal(row, `${body.order_id},2026-11-21T12:00:00.000Z,processing,2,3500,,`);
});

test('CSV has every row, so that a page of it is refused', async () => {
  const { sandbox, keys } = await service.organization();
  await sandbox.order([linkGift(1000)]);
  for (const list of ['gifts', 'orders', 'balance/entries'])
    for (const [param, value] of [
      ['limit', '1'],
      ['starting_after', 'nope'],
      ['ending_before', 'nope'],
    ] as const) {
      const { status, text } = await csv(keys.sandbox, `/v1/${list}?${param}=${value}`);
      assert.deepEqual([status, JSON.parse(text).error.param], [422, param]);
    }
});

test('the weights of Accept decide between CSV and JSON', async () => {
  const { keys } = await service.organization();
  for (const [accept, isCsv] of [
    ['text/csv', true],
    ['TEXT/CSV; charset=utf-8', true],
    ['text/csv;q=0.5, application/json;q=0.4', true],
    ['text/csv, application/json', false],
    ['text/csv;q=0.5, application/json', false],
    ['text/csv;q=0, */*', false],
    ['text/csv; q=0.0', false],
    ['text/csv-schema', false],
    ['*/*', false],
    ['', false],
  ] as const) {
    const { type } = await csv(keys.sandbox, '/v1/gifts', accept);
    assert.equal(type?.startsWith('text/csv'), isCsv, accept);
  }
});

test('a refused request for CSV is an error object, and JSON stays the default', async () => {
  const { sandbox, keys } = await service.organization();
  const { status, text } = await csv(
    keys.sandbox.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
    '/v1/gifts',
  );
  assert.deepEqual([status, JSON.parse(text).error.code], [401, 'api_key_invalid']);
  assertError(await sandbox.get('/v1/gifts?status=x', { Accept: 'text/csv' }), 'parameter_invalid', 'status');
  assert.equal(
    (await csv(keys.sandbox, '/v1/gifts', 'application/json, text/csv')).type?.slice(0, 16),
    'application/json',
  );
});

test('a list of many pages comes whole and in constant memory', async () => {
  const { sandbox, keys, organizationUuid } = await service.organization();
  await sandbox.order([gift()]);
  await service.sql('set session_replication_role = replica');
  await service.sql(
    `insert into gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id, method,
       sender_name, link_expires_at, created_at)
     select $1, 'sandbox', id, id, 0, 1000, 'coffee', 'link', repeat('x', 200), now(), now()
     from generate_series(1, 30000) n, lateral (
       select ('00000000-0001-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
     ) made`,
    [organizationUuid],
  );
  await service.sql('set session_replication_role = origin');
  const before = process.memoryUsage().heapUsed;
  const response = await fetch(`${service.url}/v1/gifts`, {
    headers: { Authorization: `Bearer ${keys.sandbox}`, Accept: 'text/csv' },
  });
  let [lines, bytes, most] = [0, 0, 0];
  for await (const part of response.body ?? []) {
    lines += Buffer.from(part).filter((byte) => byte === 10).length;
    bytes += part.length;
    most = Math.max(most, process.memoryUsage().heapUsed);
  }
  assert.equal(lines, 30_002);
  assert.ok(bytes > 8_000_000, `${bytes} bytes`);
  // The garbage of a page, not the list.
  assert.ok(most - before < 150_000_000, `${most - before} bytes more`);
});
