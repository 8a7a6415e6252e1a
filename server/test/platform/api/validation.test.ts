import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// Bodies of `POST /v1/orders` and of a simulated delivery (docs/decisions.md#order-of-checks, 6).

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization({ sandbox: 100_000_000 }));

const ok = gift();
const email = (address: unknown) => ({ method: 'email', email: address });
const named = (personalization: unknown) => ({ gifts: [gift({ personalization })] });
const delivered = (delivery: unknown) => ({ gifts: [gift({ delivery })] });

/** JSON text is sent as it is: for what JSON.stringify cannot write. */
const refusedOrders: [name: string, body: unknown, param: string][] = [
  ['null', null, 'body'],
  ['a list', [], 'body'],
  ['a list of an order', [{ gifts: [ok] }], 'body'],
  ['a text', '"gifts"', 'body'],
  ['a number', 1, 'body'],
  ['true', true, 'body'],

  ['no gifts', {}, 'gifts'],
  ['gifts null', { gifts: null }, 'gifts'],
  ['gifts a gift', { gifts: ok }, 'gifts'],
  ['gifts like a list', { gifts: { 0: ok, length: 1 } }, 'gifts'],
  ['gifts a text', { gifts: 'coffee' }, 'gifts'],
  ['0 gifts', { gifts: [] }, 'gifts'],
  ['11 gifts', { gifts: Array(11).fill(ok) }, 'gifts'],
  ['11 invalid gifts', { gifts: Array(11).fill(null) }, 'gifts'],

  ['a gift null', { gifts: [null] }, 'gifts[0]'],
  ['a gift a list', { gifts: [[]] }, 'gifts[0]'],
  ['a gift a text', { gifts: [ok, 'coffee'] }, 'gifts[1]'],
  ['the tenth gift', { gifts: [...Array(9).fill(ok), {}] }, 'gifts[9].amount'],

  ['no amount', { gifts: [{ ...ok, amount: undefined }] }, 'gifts[0].amount'],
  ['no category', { gifts: [gift({ category: undefined })] }, 'gifts[0].category'],
  ['category empty', { gifts: [gift({ category: '' })] }, 'gifts[0].category'],
  ['category a number', { gifts: [gift({ category: 1 })] }, 'gifts[0].category'],
  ['category null', { gifts: [gift({ category: null })] }, 'gifts[0].category'],
  ['category with NUL', { gifts: [gift({ category: 'coffee\0' })] }, 'gifts[0].category'],
  ['category half a surrogate pair', { gifts: [gift({ category: '\ud800' })] }, 'gifts[0].category'],
  ['category of another case', { gifts: [gift({ category: 'Coffee' })] }, 'gifts[0].category'],
  ['category unknown', { gifts: [ok, gift({ category: 'nothing' })] }, 'gifts[1].category'],
  ['category of an object’s own', { gifts: [gift({ category: '__proto__' })] }, 'gifts[0].category'],

  ['no delivery', delivered(undefined), 'gifts[0].delivery'],
  ['delivery null', delivered(null), 'gifts[0].delivery'],
  ['delivery a text', delivered('email'), 'gifts[0].delivery'],
  ['delivery a list', delivered(['email']), 'gifts[0].delivery'],
  ['delivery empty', delivered({}), 'gifts[0].delivery.method'],
  ['no method', delivered({ email: 'a@example.com' }), 'gifts[0].delivery.method'],
  ['method unknown', delivered({ method: 'post' }), 'gifts[0].delivery.method'],
  ['method of another case', delivered({ method: 'Email', email: 'a@example.com' }), 'gifts[0].delivery.method'],
  ['method a number', delivered({ method: 1 }), 'gifts[0].delivery.method'],
  ['method an object', delivered({ method: {} }), 'gifts[0].delivery.method'],
  ['method null', delivered({ method: null }), 'gifts[0].delivery.method'],
  ['no email', delivered({ method: 'email' }), 'gifts[0].delivery.email'],
  ['email null', delivered(email(null)), 'gifts[0].delivery.email'],
  ['email a list', delivered(email(['a@example.com'])), 'gifts[0].delivery.email'],
  [
    'a phone beside the email',
    delivered({ ...email('a@example.com'), phone: '+12025550100' }),
    'gifts[0].delivery.phone',
  ],
  ['no phone', delivered({ method: 'phone' }), 'gifts[0].delivery.phone'],
  ['phone a number', delivered({ method: 'phone', phone: 12025550100 }), 'gifts[0].delivery.phone'],
  [
    'an email instead of the phone',
    delivered({ ...email('a@example.com'), method: 'phone' }),
    'gifts[0].delivery.phone',
  ],
  ['an email beside a link', delivered({ ...email('a@example.com'), method: 'link' }), 'gifts[0].delivery.email'],
  ['a link beside a link', delivered({ method: 'link', link: 'https://example.com' }), 'gifts[0].delivery.link'],

  ['personalization a text', named('Ada'), 'gifts[0].personalization'],
  ['personalization a list', named([]), 'gifts[0].personalization'],
  ['an unknown name null', named({ nickname: null }), 'gifts[0].personalization.nickname'],
  ['sender_name a number', named({ sender_name: 1 }), 'gifts[0].personalization.sender_name'],
  ['a name unknown', named({ sender: 'Ada' }), 'gifts[0].personalization.sender'],

  ['a field unknown', { gifts: [ok], note: 'x' }, 'note'],
  ['a field of the answer', { gifts: [ok], status: 'processed' }, 'status'],
  ['the organization', { gifts: [ok], organization_id: 'org_x' }, 'organization_id'],
  ['a typo in a gift', { gifts: [{ ...ok, personalisation: {} }] }, 'gifts[0].personalisation'],
  ['a gift_id', { gifts: [gift({ gift_id: 'gift_x' })] }, 'gifts[0].gift_id'],
  ['an empty field name', { gifts: [ok], '': 1 }, '""'],
  ['a very long field name', { gifts: [ok], ['x'.repeat(1000)]: 1 }, `${'x'.repeat(100)}…`],
  ['half a surrogate pair as a field name', '{"\\ud800":1,"gifts":[{"amount":1}]}', 'gifts[0].amount'],
  ['the same alone', { gifts: [ok], '\ud800': 1 }, '\ufffd'],

  // The order of the tables: amount, category, delivery, personalization; a container before its items; unknown last.
  [
    'everything wrong',
    '{"zzz":1,"gifts":[{"zzz":1,"personalization":1,"delivery":1,"category":1,"amount":1}]}',
    'gifts[0].amount',
  ],
  [
    'all but amount',
    '{"gifts":[{"zzz":1,"personalization":1,"delivery":1,"category":1,"amount":1000}]}',
    'gifts[0].category',
  ],
  [
    'all after category',
    { gifts: [{ zzz: 1, personalization: 1, delivery: 1, category: 'coffee', amount: 1000 }] },
    'gifts[0].delivery',
  ],
  ['personalization and unknown', { gifts: [{ zzz: 1, personalization: 1, ...ok }] }, 'gifts[0].personalization'],
  ['both names', named({ zzz: 1, sender_name: '', recipient_name: '' }), 'gifts[0].personalization.recipient_name'],
  [
    'sender and unknown',
    named({ zzz: 1, sender_name: '', recipient_name: 'Ada' }),
    'gifts[0].personalization.sender_name',
  ],
  [
    'an unknown field before a delivery’s own',
    delivered({ zzz: 1, email: 1, method: 'email' }),
    'gifts[0].delivery.email',
  ],
  ['a method before the rest', delivered({ zzz: 1, email: 1, method: 'no' }), 'gifts[0].delivery.method'],
  ['the first gift before the second', { gifts: [gift({ delivery: 1 }), gift({ amount: 1 })] }, 'gifts[0].delivery'],
  ['a gift’s unknown field before the order’s', { zzz: 1, gifts: [{ ...ok, yyy: 1 }] }, 'gifts[0].yyy'],
  ['gifts before unknown', { zzz: 1, gifts: [] }, 'gifts'],
  ['the shape before the catalog', { gifts: [gift({ category: 'nothing' }), gift({ amount: 1 })] }, 'gifts[1].amount'],
];

for (const [name, body, param] of refusedOrders)
  test(`an order is refused and nothing charged: ${name} → ${param}`, async () => {
    const answer = await organization.sandbox.post('/v1/orders', body, { 'Idempotency-Key': 'refused' });
    assertRefused(answer, 'parameter_invalid', param);
  });

test('refused orders leave no order, gift or entry', async () => {
  const [counts] =
    await service.sql(`select (select count(*) from orders) as orders, (select count(*) from gifts) as gifts,
    (select count(*) from ledger_entries where order_id is not null) as debits`);
  assert.deepEqual(counts, { orders: '0', gifts: '0', debits: '0' });
});

test('1 and 10 gifts are accepted, and come back in the order sent', async () => {
  const amounts = Array.from({ length: 10 }, (_, index) => 1000 + index);
  for (const sent of [[1000], amounts]) {
    const { status, body } = await organization.sandbox.order(sent.map((amount) => gift({ amount })));
    assert.equal(status, 201);
    assert.deepEqual(
      body.gifts.map((one: { amount: number }) => one.amount),
      sent,
    );
  }
});

test('an empty personalization is the same as none', async () => {
  const { status, body } = await organization.sandbox.order([gift({ personalization: {} })]);
  assert.equal(status, 201);
  assert.deepEqual(body.gifts[0].personalization, { sender_name: 'Test Organization' });
});

test('null for an optional field is the same as no field', async () => {
  const cases = [
    [gift({ personalization: null }), gift()],
    [gift({ personalization: { recipient_name: null, sender_name: null } }), gift({ personalization: {} })],
  ] as const;
  for (const [sent, same] of cases) {
    const key = `null ${JSON.stringify(sent)}`;
    const { status, body } = await organization.sandbox.order([sent], key);
    assert.equal(status, 201);
    assert.deepEqual(body.gifts[0].personalization, { sender_name: 'Test Organization' });
    const replay = await organization.sandbox.order([same], key);
    assert.deepEqual([replay.status, replay.body], [200, body]);
  }
  const named = gift({ personalization: { recipient_name: 'Ada', sender_name: null } });
  const { body } = await organization.sandbox.order([named]);
  assert.deepEqual(body.gifts[0].personalization, { sender_name: 'Test Organization', recipient_name: 'Ada' });
});

test('the first wrong field is named beside fields that are null', async () => {
  const wrong = gift({ amount: 1, personalization: null });
  assertRefused(await organization.sandbox.order([wrong]), 'parameter_invalid', 'gifts[0].amount');
});

test('null as an optional body, or as its field, counts as absent', async () => {
  for (const body of ['null', { outcome: null }, {}, undefined]) {
    const { body: order } = await organization.sandbox.order([gift()]);
    const path = `/v1/sandbox/gifts/${order.gifts[0].gift_id}/deliver`;
    const answer = await organization.sandbox.post(path, body);
    assert.deepEqual([answer.status, answer.body], [200, order.gifts[0]]);
    assertRefused(await organization.sandbox.post(path, body), 'gift_already_delivered');
  }
});

test('the message names the field and its rule in one sentence', async () => {
  const { body } = await organization.sandbox.order([gift({ amount: 999 })]);
  assert.equal(body.error.message, 'gifts[0].amount must be a whole number of cents from 1000 to 50000.');
});

const refusedOutcomes: [body: unknown, param: string][] = [
  [[], 'body'],
  ['"failed"', 'body'],
  [{ outcome: 'lost' }, 'outcome'],
  [{ outcome: 'Failed' }, 'outcome'],
  [{ outcom: null }, 'outcom'],
  [{ outcome: ['failed'] }, 'outcome'],
  [{ outcom: 'failed' }, 'outcom'],
  [{ zzz: 1, outcome: 'lost' }, 'outcome'],
];

test('a delivery outcome is validated before unknown fields', async () => {
  const { body: order } = await organization.sandbox.order([gift()]);
  const path = `/v1/sandbox/gifts/${order.gifts[0].gift_id}/deliver`;
  for (const [body, param] of refusedOutcomes)
    assertRefused(await organization.sandbox.post(path, body), 'parameter_invalid', param);
  assert.deepEqual((await organization.sandbox.get(`/v1/gifts/${order.gifts[0].gift_id}`)).body, order.gifts[0]);
});
