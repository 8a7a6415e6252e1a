import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused, exchange, request } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// What a single value may be: amounts, addresses, names, the Idempotency-Key, query parameters
// (docs/decisions.md#order-of-checks, docs/decisions.md#orders).

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization({ sandbox: 100_000_000 }));

/** An order of one gift whose amount is this JSON text. */
function orderOf(amount: string): Promise<Answer> {
  const body = JSON.stringify({ gifts: [gift({ amount: 'AMOUNT' })] }).replace('"AMOUNT"', amount);
  return organization.sandbox.post('/v1/orders', body, { 'Idempotency-Key': `amount ${amount}` });
}

for (const amount of ['1000', '1000.0', '1e3', '1.0E3', '10000e-1', '50000', '5e4', '2500.000'])
  test(`amount ${amount} is an integer from 1000 to 50000`, async () => {
    const { status, body } = await orderOf(amount);
    assert.equal(status, 201);
    assert.equal(body.gifts[0].amount, Number(amount));
  });

const refusedAmounts = ['999', '50001', '"1000"', '1000.5', '999.9999', 'null', 'true', '0', '-0', '-1000', '1e400'];
for (const amount of [...refusedAmounts, '-1e400', '1e21', '9007199254740993', '[1000]', '{}', '""', '"1e3"'])
  test(`amount ${amount} is refused`, async () => {
    assertRefused(await orderOf(amount), 'parameter_invalid', 'gifts[0].amount');
  });

test('malformed JSON numbers are invalid JSON', async () => {
  for (const amount of ['01000', '+1000', '1_000', '0x3e8', '1000.', 'NaN', 'Infinity', '1000n'])
    assertRefused(await orderOf(amount), 'request_body_invalid');
});

const orderTo = (delivery: object) => organization.sandbox.order([gift({ delivery })]);

const emails = [
  'a@example.com',
  'A.B-c_d+e@Example.COM',
  "o'brien@example.org",
  '1@1.co',
  '_@example.com',
  '-@example.com',
  'a.b.c@sub.sub-domain.example.museum',
  'a@xn--bcher-kva.example',
  'user+@example.com',
  'a@1-2.3.example',
  "a'@example.com",
  'a&b@example.com',
  'a/b@example.com',
  'a!b@example.com',
  "!#$%&'*+-/=?^_`{|}~@example.com",
  'a@example.xn--p1ai',
  'a@xn--e1afmkfd.XN--P1AI',
  `${'a'.repeat(64)}@example.com`,
  `a@${'b'.repeat(63)}.${'c'.repeat(63)}`,
  `a@${`${'b'.repeat(61)}.`.repeat(4)}info`,
];
for (const email of emails)
  test(`the email ${email.slice(0, 40)} is accepted and kept as sent`, async () => {
    const { status, body } = await orderTo({ method: 'email', email });
    assert.equal(status, 201);
    assert.deepEqual(body.gifts[0].delivery, { method: 'email', status: 'sent', email });
  });

const refusedEmails = [
  '',
  ' ',
  'a',
  '@',
  'a@',
  '@example.com',
  '.a@example.com',
  'a.@example.com',
  'a..b@example.com',
  'a@example..com',
  'a@.example.com',
  'a@example.com.',
  'a@example',
  'a@example.c',
  'a@example.c0m',
  'a@localhost',
  'a@127.0.0.1',
  'a@[127.0.0.1]',
  'a@-example.com',
  'a@exa_mple.com',
  'a@@example.com',
  'a@b@example.com',
  'a b@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.com`,
  `a@${'b'.repeat(64)}`,
  `a@b.${'c'.repeat(64)}`,
  'a@b-.com',
  'a@-b.com',
  'a@b.xn--',
  'a@b.xn--a-',
  'a@b.x1--a',
  'a(b)@example.com',
  'a\\b@example.com',
  'a:b@example.com',
  'a;b@example.com',
  'a[b@example.com',
  ' a@example.com',
  'a@example.com ',
  'a@example.com\n',
  'a@example.com\r\nBcc: b@example.com',
  'a\0@example.com',
  '"a"@example.com',
  'Ada <a@example.com>',
  'a@example.com,b@example.com',
  'mailto:a@example.com',
  'ä@example.com',
  'a@bücher.example',
  'a@example.com\u200b',
  'ａ@example.com',
  `a@${`${'b'.repeat(61)}.`.repeat(4)}infos`,
  `${'a'.repeat(100_000)}!`,
];
for (const email of refusedEmails)
  test(`the email ${JSON.stringify(email).slice(0, 50)} is refused`, async () => {
    assertRefused(await orderTo({ method: 'email', email }), 'parameter_invalid', 'gifts[0].delivery.email');
  });

/** As sent, and as stored (docs/decisions.md#orders). */
const phones: [sent: string, stored: string][] = [
  ['+12025550123', '+12025550123'],
  ['+1 (202) 555-0123', '+12025550123'],
  ['+1-202-555-0123', '+12025550123'],
  ['+ 1 2 0 2 5 5 5 0 1 2 3 ', '+12025550123'],
  ['+44 (0)20 7183-8750', '+442071838750'],
  ['+442071838750', '+442071838750'],
  ['+49 30 901820', '+4930901820'],
  ['+390612345678', '+390612345678'],
  ['+1234567', '+1234567'],
  ['+999999999999999', '+999999999999999'],
  ['+((1)) 202 555 0123', '+12025550123'],
];
for (const [sent, stored] of phones)
  test(`the phone ${sent} is stored as ${stored}`, async () => {
    const { status, body } = await orderTo({ method: 'phone', phone: sent });
    assert.equal(status, 201);
    assert.deepEqual(body.gifts[0].delivery, { method: 'phone', status: 'sent', phone: stored });
  });

const refusedPhones = [
  '',
  '+',
  '12025550123',
  '0012025550123',
  '+0123456789',
  '+123456',
  '+1234567890123456',
  '++12025550123',
  '+1 202 555 0123 ext. 4',
  '+1.202.555.0123',
  '+1/202/5550123',
  'tel:+12025550123',
  '+1202555012a',
  '+١٢٣٤٥٦٧٨',
  '+1202\t5550123',
  '+12025550123\n',
  '+1\u00a0202\u00a0555\u00a00123',
  '+１２０２５５５０１２３',
  '+12025550123,+12025550124',
  `+1${' '.repeat(100_000)}`,
];
for (const phone of refusedPhones)
  test(`the phone ${JSON.stringify(phone).slice(0, 40)} is refused`, async () => {
    assertRefused(await orderTo({ method: 'phone', phone }), 'parameter_invalid', 'gifts[0].delivery.phone');
  });

const orderFor = (name: 'recipient_name' | 'sender_name', value: string) =>
  organization.sandbox.order([gift({ personalization: { [name]: value } })]);

const names = [
  'A',
  ' ',
  '😀'.repeat(200),
  'é'.repeat(200),
  '<b>"Ada" & Co</b>',
  'שלום',
  '\u202eadA',
  'e\u0301',
  '👩‍👩‍👧',
];
for (const value of names)
  test(`the name ${JSON.stringify(value).slice(0, 30)} is kept as sent`, async () => {
    for (const name of ['recipient_name', 'sender_name'] as const) {
      const { status, body } = await orderFor(name, value);
      assert.equal(status, 201);
      assert.equal(body.gifts[0].personalization[name], value);
    }
  });

const refusedNames = [
  '',
  '😀'.repeat(201),
  'a'.repeat(201),
  'a\0',
  'a\nb',
  'a\rb',
  'a\tb',
  '\u0085',
  '\u007f',
  '\u001b[31m',
];
for (const value of [...refusedNames, 'a\u2028b', 'a\u2029b', '\ud800', 'a\udc00b', '\udc00\ud800'])
  test(`the name ${JSON.stringify(value).slice(0, 30)} is refused`, async () => {
    for (const name of ['recipient_name', 'sender_name'] as const)
      assertRefused(await orderFor(name, value), 'parameter_invalid', `gifts[0].personalization.${name}`);
  });

// At most 255 printable ASCII characters.
const orderWithKey = (...headers: string[]) => {
  const body = JSON.stringify({ gifts: [gift()] });
  const all = [`Authorization: Bearer ${organization.keys.sandbox}`, `Content-Length: ${body.length}`, ...headers];
  return exchange(service.url, request('POST /v1/orders', all, body));
};

test('an Idempotency-Key may have 1 to 255 printable ASCII characters', async () => {
  for (const key of ['a', '!~', 'a b', '"quoted, with a comma"', '%00', 'k'.repeat(255)])
    assert.equal((await orderWithKey(`Idempotency-Key: ${key}`)).status, 201, key);
});

test('a missing, empty, long, non-ASCII or repeated Idempotency-Key is refused', async () => {
  const refused = [
    [],
    ['Idempotency-Key:'],
    ['Idempotency-Key:    '],
    [`Idempotency-Key: ${'k'.repeat(256)}`],
    ['Idempotency-Key: cl\xe9'],
    ['Idempotency-Key: 😀'],
    ['Idempotency-Key: a\tb'],
    ['Idempotency-Key: a', 'Idempotency-Key: b'],
    ['Idempotency-Key: a', 'idempotency-key: a'],
    ['Idempotency-Key: a', 'Idempotency-Key:'],
  ];
  for (const headers of refused) {
    assertRefused(await orderWithKey(...headers), 'parameter_invalid', 'Idempotency-Key');
  }
});

// Query parameters are strict (docs/decisions.md#order-of-checks).
const limits = [
  '',
  '0',
  '101',
  '1000',
  '-1',
  '1.5',
  '10abc',
  'ten',
  'null',
  '+5',
  '%205',
  '5%20',
  '05',
  '1e1',
  '0x5',
  '1_0',
  '%EF%BC%95',
  '%D9%A3',
];
for (const query of [
  ...limits.map((limit) => `limit=${limit}`),
  'limit',
  'limit=5&limit=5',
  'limit=5&limit=',
  'limit=%',
])
  test(`?${query} is refused`, async () => {
    for (const list of ['orders', 'gifts'])
      assertRefused(await organization.sandbox.get(`/v1/${list}?${query}`), 'parameter_invalid', 'limit');
  });
