import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { emailGift, gift, linkGift } from '../harness/api-client.ts';
import { balanceOf, verifyAll } from '../harness/ledger.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

// Specification, part 4, «POST /v1/orders», and decisions, «Orders».

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => {
  await verifyAll(service);
  await service.close();
});

test('an order is answered with 201, whole, its gifts in the order sent, and is paid in one debit', async () => {
  const organization = await service.organization({ sandbox: 10_000 });
  const answer = await organization.sandbox.order([
    emailGift('someone', 1000),
    gift({ amount: 2000, category: 'books', delivery: { method: 'phone', phone: '+1 (202) 555-0199' } }),
    { ...linkGift(3000), personalization: { recipient_name: 'Ada', sender_name: 'Charles' } },
  ]);

  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('idempotent-replayed'), null);
  const { order_id, gifts } = answer.body;
  const sender = { sender_name: 'Test Organization' };
  assert.deepEqual(answer.body, {
    order_id,
    status: 'processed',
    gifts: [
      {
        gift_id: gifts[0].gift_id,
        amount: 1000,
        category: 'coffee',
        delivery: { method: 'email', status: 'sent', email: 'someone@sandbox.gift.test' },
        personalization: sender,
      },
      {
        gift_id: gifts[1].gift_id,
        amount: 2000,
        category: 'books',
        delivery: { method: 'phone', status: 'sent', phone: '+12025550199' },
        personalization: sender,
      },
      {
        gift_id: gifts[2].gift_id,
        amount: 3000,
        category: 'coffee',
        delivery: { method: 'link', status: 'sent', link: gifts[2].delivery.link },
        personalization: { sender_name: 'Charles', recipient_name: 'Ada' },
      },
    ],
  });
  assert.match(order_id, /^ord_[0-9a-hjkmnp-tv-z]{26}$/);
  for (const { gift_id } of gifts) assert.match(gift_id, /^gift_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.deepEqual((await organization.sandbox.get(`/v1/orders/${order_id}`)).body, answer.body);

  assert.equal(await balanceOf(service, organization, 'sandbox'), 4000);
  const debits = await service.sql(
    `select amount_cents, balance_after_cents from ledger_entries where organization_id = $1 and kind = 'order'`,
    [organization.organizationUuid],
  );
  assert.deepEqual(debits, [{ amount_cents: '-6000', balance_after_cents: '4000' }]);
});

test('the same key and body again is the same order as it is now, with 200 and a header, and no second charge', async () => {
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

test('a body is the same as a JSON value: member order and white space do not matter, values do', async () => {
  const { sandbox } = await service.organization();
  const headers = { 'Idempotency-Key': 'same-body' };
  const text = '{"gifts":[{"amount":2500,"category":"coffee","delivery":{"method":"link"}}]}';
  const other = ' { "gifts" : [ {"delivery":{"method":"link"},\n"category":"coffee", "amount": 2500.0} ] } ';
  assert.equal((await sandbox.post('/v1/orders', text, headers)).status, 201);
  assert.equal((await sandbox.post('/v1/orders', other, headers)).status, 200);

  const empty = text.replace('}]', ',"personalization":{}}]');
  const reused = await sandbox.post('/v1/orders', empty, headers);
  assert.equal(reused.status, 409);
  assert.equal(reused.body.error.code, 'idempotency_key_reused');
});

test('a phone number is compared as it was sent, before it is normalized', async () => {
  const { sandbox } = await service.organization();
  const to = (phone: string) => [gift({ delivery: { method: 'phone', phone } })];
  assert.equal((await sandbox.order(to('+1 202 555 0199'), 'phone')).status, 201);
  assert.equal((await sandbox.order(to('+12025550199'), 'phone')).body.error.code, 'idempotency_key_reused');
});

test('the same key with another body is refused, and nothing is charged', async () => {
  const organization = await service.organization({ sandbox: 10_000 });
  await organization.sandbox.order([linkGift(1000)], 'reused');
  const answer = await organization.sandbox.order([linkGift(2000)], 'reused');
  assert.equal(answer.status, 409);
  assert.equal(answer.body.error.code, 'idempotency_key_reused');
  assert.equal(await balanceOf(service, organization, 'sandbox'), 9000);
});

test('an idempotency key belongs to the organization and environment, not to the API key used', async () => {
  const organization = await service.organization();
  const other = await service.organization();
  const first = await organization.sandbox.order([linkGift()], 'scope');
  const rotated = service.api(await organization.newKey('sandbox'));
  const replay = await rotated.order([linkGift()], 'scope');
  assert.deepEqual([replay.status, replay.body.order_id], [200, first.body.order_id]);
  assert.equal((await organization.live.order([linkGift()], 'scope')).status, 201);
  assert.equal((await other.sandbox.order([linkGift()], 'scope')).status, 201);
});

test('a balance that is too low is 402 with nothing created; after funding the same key and body place the order', async () => {
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
});

test('an organization without any balance gets 402', async () => {
  const { sandbox } = await service.organization({ sandbox: 0 });
  assert.equal((await sandbox.order([linkGift()])).body.error.code, 'insufficient_balance');
});

test('an error binds nothing: a corrected body may be sent with the same key', async () => {
  const { sandbox } = await service.organization();
  const wrong = await sandbox.order([gift({ category: 'nothing-like-it' })], 'corrected');
  assert.equal(wrong.status, 422);
  assert.equal(wrong.body.error.param, 'gifts[0].category');
  assert.equal((await sandbox.order([gift()], 'corrected')).status, 201);
});

test('replays at once, with keys of any characters, each get their own order, from whichever process', async () => {
  const keys = ['a,b', '"quoted"', '{braces}', 'back\\slash', 'NULL', "it's", ' blank ', '$1', '%', '()'];
  const customers = await Promise.all(keys.map(() => service.organization()));
  const other = await service.second();
  const doors = [service, other];
  const place = (n: number, door: TestService) =>
    door.api(customers[n]?.keys.sandbox).order([emailGift('someone', 1000 + n)], keys[n] as string);
  const placed = await Promise.all(keys.map((_, n) => place(n, service)));
  for (const door of [...doors, ...doors]) {
    const replays = await Promise.all(keys.map((_, n) => place(n, door)));
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

test('a category must be in the catalog and not retired; a replay of an order of a retired one still answers', async () => {
  const { sandbox } = await service.organization();
  await service.addCategory('short-lived');
  const gifts = [gift(), gift({ category: 'short-lived' })];
  assert.equal((await sandbox.order(gifts, 'before')).status, 201);
  await service.sql(`update categories set retired_at = now() where category_id = 'short-lived'`);
  const refused = await sandbox.order(gifts, 'after');
  assert.deepEqual([refused.status, refused.body.error.param], [422, 'gifts[1].category']);
  assert.equal((await sandbox.order(gifts, 'before')).status, 200);
});

test('a live order to the sandbox mail domain is refused at the offending gift; a category before it comes first', async () => {
  const { live, sandbox } = await service.organization();
  const refused = await live.order([gift(), gift({ delivery: { method: 'email', email: 'a@SANDBOX.gift.test' } })]);
  assert.deepEqual([refused.status, refused.body.error.code], [422, 'parameter_invalid']);
  assert.equal(refused.body.error.param, 'gifts[1].delivery.email');
  const both = [gift({ category: 'none' }), emailGift('delivered')];
  assert.equal((await live.order(both)).body.error.param, 'gifts[0].category');
  assert.equal((await live.order(both.toReversed())).body.error.param, 'gifts[0].delivery.email');
  const one = [{ ...emailGift('delivered'), category: 'none' }];
  assert.equal((await live.order(one)).body.error.param, 'gifts[0].category');
  assert.equal((await sandbox.order([emailGift('delivered')])).status, 201);
});

test('an order is attributed to the billing contact, else to the longest-standing active admin, else refused', async () => {
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

test('ten gifts of the largest amount are one order and one debit', async () => {
  const organization = await service.organization({ sandbox: 500_000 });
  const answer = await organization.sandbox.order(Array.from({ length: 10 }, () => linkGift(50_000)));
  assert.equal(answer.status, 201);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 0);
});

test('ids rise with every order also when the clock goes back, so that a polling client misses none', async () => {
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
