import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

test('an order is one debit of the sum of its gifts', async () => {
  const organization = await service.organization({ sandbox: 10_000 });
  const { status, headers } = await organization.sandbox.order([
    emailGift('someone', 1000),
    gift({ amount: 2000, category: 'books', delivery: { method: 'phone', phone: '+1 (202) 555-0199' } }),
    linkGift(3000),
  ]);
  assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 4000);
  const debits = await service.sql(
    `select amount_cents, balance_after_cents from ledger_entries where organization_id = $1 and kind = 'order'`,
    [organization.organizationUuid],
  );
  assert.deepEqual(debits, [{ amount_cents: '-6000', balance_after_cents: '4000' }]);
});

test('a retry returns the order as it is now, without a second charge', async () => {
  const organization = await service.organization({ sandbox: 10_000 });
  const gifts = [emailGift('someone'), linkGift()];
  const first = await organization.sandbox.order(gifts, 'replayed');
  await organization.sandbox.post(`/v1/sandbox/gifts/${first.body.gifts[0].gift_id}/open`);

  const again = await organization.sandbox.order(gifts, 'replayed');
  assert.equal(again.status, 200);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  const expected = structuredClone(first.body);
  expected.gifts[0].delivery.status = 'opened';
  assert.deepEqual(again.body, expected);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 5000);
});

test('bodies are compared as JSON values; a reused key is refused uncharged', async () => {
  const organization = await service.organization({ sandbox: 10_000 });
  const { sandbox } = organization;
  const headers = { 'Idempotency-Key': 'same-body' };
  const text = '{"gifts":[{"amount":2500,"category":"coffee","delivery":{"method":"link"}}]}';
  const other = ' { "gifts" : [ {"delivery":{"method":"link"},\n"category":"coffee", "amount": 2500.0} ] } ';
  assert.equal((await sandbox.post('/v1/orders', text, headers)).status, 201);
  assert.equal((await sandbox.post('/v1/orders', other, headers)).status, 200);

  const empty = text.replace('}]', ',"personalization":{}}]');
  const reused = await sandbox.post('/v1/orders', empty, headers);
  assert.deepEqual([reused.status, reused.body.error.code], [409, 'idempotency_key_reused']);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 7500);
});

test('phone numbers are compared as given, not as normalized', async () => {
  const { sandbox } = await service.organization();
  const to = (phone: string) => [gift({ delivery: { method: 'phone', phone } })];
  assert.equal((await sandbox.order(to('+1 202 555 0199'), 'phone')).status, 201);
  assert.equal((await sandbox.order(to('+12025550199'), 'phone')).body.error.code, 'idempotency_key_reused');
});

test('an idempotency key belongs to the organization and environment', async () => {
  const organization = await service.organization();
  const other = await service.organization();
  const first = await organization.sandbox.order([linkGift()], 'scope');
  const rotated = service.api(await organization.newKey('sandbox'));
  const replay = await rotated.order([linkGift()], 'scope');
  assert.deepEqual([replay.status, replay.body.order_id], [200, first.body.order_id]);
  assert.equal((await organization.live.order([linkGift()], 'scope')).status, 201);
  assert.equal((await other.sandbox.order([linkGift()], 'scope')).status, 201);
});

test('a too low balance is 402; after funding, the same key places the order', async () => {
  const organization = await service.organization({ sandbox: 2499 });
  const poor = await organization.sandbox.order([linkGift(2500)], 'poor');
  assert.equal(poor.status, 402);
  assert.deepEqual(poor.body.error, {
    type: 'insufficient_balance_error',
    code: 'insufficient_balance',
    message: poor.body.error.message,
    doc_url: poor.body.error.doc_url,
    request_id: poor.headers.get('request-id'),
  });
  assert.deepEqual((await organization.sandbox.get('/v1/orders')).body.data, []);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 2499);

  await organization.fund('sandbox', 1);
  assert.equal((await organization.sandbox.order([linkGift(2500)], 'poor')).status, 201);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 0);
  const unfunded = await service.organization({ sandbox: 0 });
  assert.equal((await unfunded.sandbox.order([linkGift()])).body.error.code, 'insufficient_balance');
});

test('concurrent replays with any key characters each get their order', async () => {
  const keys = ['a,b', '"quoted"', '{braces}', 'back\\slash', 'NULL', "it's", ' blank ', '$1', '%', '()'];
  const customers = await Promise.all(keys.map(() => service.organization()));
  const other = await service.second();
  const processes = [service, other];
  const place = (n: number, process: TestService) =>
    process.api(customers[n]?.keys.sandbox).order([emailGift('someone', 1000 + n)], keys[n] as string);
  const placed = await Promise.all(keys.map((_, n) => place(n, service)));
  for (const process of [...processes, ...processes]) {
    const replays = await Promise.all(keys.map((_, n) => place(n, process)));
    assert.deepEqual(
      replays.map(({ status, body, headers }) => [status, headers.get('idempotent-replayed'), body]),
      placed.map(({ body }) => [200, 'true', body]),
    );
  }
  const reused = await Promise.all(
    keys.map((key, n) => service.api(customers[n]?.keys.sandbox).order([linkGift(9_000)], key)),
  );
  assert.deepEqual(
    reused.map(({ body }) => body.error.code),
    keys.map(() => 'idempotency_key_reused'),
  );
  await customers[0]?.sandbox.post('/v1/sandbox/reset');
  await customers[0]?.fund('sandbox', 10_000);
  const again = await place(0, service);
  assert.equal(again.status, 201, 'after a reset its key is free again');
  assert.notEqual(again.body.order_id, placed[0]?.body.order_id);
});

test('an order belongs to the billing contact, else to the oldest active admin', async () => {
  const organization = await service.organization();
  const attributedTo = async () => {
    const { status, body } = await organization.sandbox.order([linkGift()]);
    if (status !== 201) return body.error.code;
    const [row] = await service.sql<{ member_id: string }>(
      'select member_id from orders where organization_id = $1 order by order_id desc limit 1',
      [organization.organizationUuid],
    );
    return row?.member_id;
  };
  const { first, second, member } = await organization.addMembers();
  assert.equal(await attributedTo(), first);
  await organization.setBillingContact(member);
  assert.equal(await attributedTo(), member);
  await organization.deactivate(member);
  assert.equal(await attributedTo(), first);
  await organization.deactivate(first);
  assert.equal(await attributedTo(), second);
  await organization.deactivate(second);
  assert.equal(await attributedTo(), 'organization_not_configured');
});

test('ids increase even if the clock goes back, so polling misses no order', async () => {
  const organization = await service.organization();
  const second = await service.second();
  const first = await organization.sandbox.order([linkGift()]);
  await service.clock.setTime(service.clock.now() - 3_600_000);
  const later = await second.api(organization.keys.sandbox).order([emailGift('later')]);
  const newer = await organization.sandbox.get(`/v1/orders?ending_before=${first.body.order_id}`);
  assert.deepEqual(newer.body.data, [later.body]);
  await service.clock.setTime(service.clock.now() + 3_600_000);
  await second.close();
});

test('all balances can be derived from the ledger', async () => {
  await verifyAll(service);
});
