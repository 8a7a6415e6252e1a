import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const ORDER_ID = /^ord_[0-9a-hjkmnp-tv-z]{26}$/;
const GIFT_ID = /^gift_[0-9a-hjkmnp-tv-z]{26}$/;

const mixedGifts = [
  gift({
    amount: 1000,
    delivery: { method: 'email', email: "Ada.O'Lovelace+gift@Example.COM" },
    personalization: { sender_name: 'The Engine team', recipient_name: 'Ada' },
  }),
  gift({ amount: 50000, category: 'books', delivery: { method: 'phone', phone: '+44 (0)20 7183-8750' } }),
  linkGift(2500),
];

test('an order, its gifts and both lists show exactly the specified fields', async () => {
  const { sandbox } = await service.organization();
  const placed = await sandbox.order(mixedGifts);
  assert.equal(placed.status, 201);
  const { order_id, gifts } = placed.body;
  const [email, phone, link] = gifts;
  const expected = {
    order_id,
    status: 'processed',
    gifts: [
      {
        gift_id: email.gift_id,
        amount: 1000,
        category: 'coffee',
        delivery: { method: 'email', status: 'sent', email: "Ada.O'Lovelace+gift@Example.COM" },
        personalization: { sender_name: 'The Engine team', recipient_name: 'Ada' },
      },
      {
        gift_id: phone.gift_id,
        amount: 50000,
        category: 'books',
        delivery: { method: 'phone', status: 'sent', phone: '+442071838750' },
        personalization: { sender_name: 'Test Organization' },
      },
      {
        gift_id: link.gift_id,
        amount: 2500,
        category: 'coffee',
        delivery: { method: 'link', status: 'sent', link: link.delivery.link },
        personalization: { sender_name: 'Test Organization' },
      },
    ],
  };
  assert.deepEqual(placed.body, expected);
  assert.match(order_id, ORDER_ID);
  for (const { gift_id } of gifts) assert.match(gift_id, GIFT_ID);
  assert.equal(new Set(gifts.map(({ gift_id }: { gift_id: string }) => gift_id)).size, 3);
  assert.match(link.delivery.link, /^http:\/\/localhost:[0-9]+\/g\/[A-Za-z0-9_-]{76}$/);

  const order = await sandbox.get(`/v1/orders/${order_id}`);
  assert.deepEqual([order.status, order.body], [200, expected]);
  for (const one of expected.gifts) {
    const answer = await sandbox.get(`/v1/gifts/${one.gift_id}`);
    assert.deepEqual([answer.status, answer.body], [200, one]);
  }
  const orders = await sandbox.get('/v1/orders');
  assert.deepEqual([orders.status, orders.body], [200, { object: 'list', data: [expected], has_more: false }]);
  const list = await sandbox.get('/v1/gifts');
  // Most recent first; within one order, the last gift first.
  const data = expected.gifts.toReversed();
  assert.deepEqual([list.status, list.body], [200, { object: 'list', data, has_more: false }]);
});

test('every answer is JSON in UTF-8 and not cached', async () => {
  const { sandbox } = await service.organization();
  const placed = await sandbox.order([linkGift()]);
  for (const answer of [placed, await sandbox.get('/v1/gifts'), await sandbox.get('/v1/gifts/none')]) {
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
});

test('gifts are returned in submission order', async () => {
  const { sandbox } = await service.organization();
  const amounts = [5000, 1000, 9000, 2000, 8000, 3000, 7000, 4000, 6000, 1500];
  const placed = await sandbox.order(amounts.map((amount) => emailGift('someone', amount)));
  const amountsOf = (order: { gifts: { amount: number }[] }) => order.gifts.map(({ amount }) => amount);
  assert.deepEqual(amountsOf(placed.body), amounts);
  assert.deepEqual((await sandbox.get(`/v1/orders/${placed.body.order_id}`)).body, placed.body);
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, [placed.body]);
});

test('sender_name defaults to the organization; recipient_name is optional', async () => {
  const { sandbox } = await service.organization();
  const odd = { sender_name: 'Цветана 🎁', recipient_name: '<b>Ada</b> & "Co"' };
  const cases = [
    { given: undefined, shown: { sender_name: 'Test Organization' } },
    { given: {}, shown: { sender_name: 'Test Organization' } },
    { given: { recipient_name: 'Ada' }, shown: { sender_name: 'Test Organization', recipient_name: 'Ada' } },
    { given: { sender_name: 'Charles' }, shown: { sender_name: 'Charles' } },
    { given: odd, shown: odd },
  ];
  const placed = await sandbox.order(
    cases.map(({ given }) => gift(given === undefined ? {} : { personalization: given })),
  );
  assert.equal(placed.status, 201);
  for (const [index, { shown }] of cases.entries()) {
    const { gift_id, personalization } = placed.body.gifts[index];
    assert.deepEqual(personalization, shown);
    assert.deepEqual((await sandbox.get(`/v1/gifts/${gift_id}`)).body.personalization, shown);
  }
});

test('a gift keeps its sender when the organization is renamed', async () => {
  const { sandbox, organizationUuid } = await service.organization();
  const placed = await sandbox.order([linkGift()]);
  await service.sql('update organizations set name = $1 where organization_id = $2', ['Renamed', organizationUuid]);
  const [old] = placed.body.gifts;
  assert.deepEqual((await sandbox.get(`/v1/gifts/${old.gift_id}`)).body, old);
  const next = await sandbox.order([linkGift()]);
  assert.deepEqual(next.body.gifts[0].personalization, { sender_name: 'Renamed' });
});

test('live has the same shapes as the sandbox, and neither sees the other’s orders', async () => {
  const { sandbox, live } = await service.organization();
  const placed = await live.order([linkGift(), gift()]);
  assert.equal(placed.status, 201);
  assert.deepEqual((await live.get(`/v1/orders/${placed.body.order_id}`)).body, placed.body);
  assert.deepEqual((await live.get('/v1/orders')).body.data, [placed.body]);
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, []);
  assertError(await sandbox.get(`/v1/orders/${placed.body.order_id}`), 'resource_missing');
});
