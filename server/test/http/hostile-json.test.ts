import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { gift } from '../harness/api-client.ts';
import { assertRefused } from '../harness/raw-http.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

// Bodies that are meant to hurt (issue 2, «The interface»; decisions, «Order of checks», 5 and 6).

let service: TestService;
let organization: TestOrganization;
before(async () => {
  service = await startTestService();
  organization = await service.organization();
});
after(() => service.close());

afterEach(async () => {
  assert.deepEqual((await service.api().get('/v1/health')).body, { status: 'ok' });
});

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  organization.sandbox.post('/v1/orders', body, { 'Idempotency-Key': 'hostile', ...headers });

/** An order's body with this JSON text in the place of `"HERE"`. */
const bodyWith = (template: object, text: string) => JSON.stringify(template).replace('"HERE"', text);

const fields: [param: string, template: object][] = [
  ['gifts', { gifts: 'HERE' }],
  ['gifts[0]', { gifts: ['HERE'] }],
  ['gifts[0].amount', { gifts: [gift({ amount: 'HERE' })] }],
  ['gifts[0].category', { gifts: [gift({ category: 'HERE' })] }],
  ['gifts[0].delivery', { gifts: [gift({ delivery: 'HERE' })] }],
  ['gifts[0].delivery.method', { gifts: [gift({ delivery: { method: 'HERE' } })] }],
  ['gifts[0].delivery.email', { gifts: [gift({ delivery: { method: 'email', email: 'HERE' } })] }],
  ['gifts[0].personalization', { gifts: [gift({ personalization: 'HERE' })] }],
  ['gifts[0].personalization.sender_name', { gifts: [gift({ personalization: { sender_name: 'HERE' } })] }],
  ['gifts[0].unknown', { gifts: [gift({ unknown: 'HERE' })] }],
  ['unknown', { gifts: [gift()], unknown: 'HERE' }],
];
const DEPTH = 200_000;
const NESTED_LISTS = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
const NESTED_OBJECTS = '{"a":'.repeat(DEPTH / 2) + 1 + '}'.repeat(DEPTH / 2);

/** What is told where a field is no list, or no object, but something inside it is what is wrong. */
const insideLists: Record<string, string> = { gifts: 'gifts[0]' };
const insideObjects: Record<string, string> = {
  'gifts[0]': 'gifts[0].amount',
  'gifts[0].delivery': 'gifts[0].delivery.method',
  'gifts[0].personalization': 'gifts[0].personalization.a',
};

for (const [param, template] of fields)
  test(`200,000 nested lists, or 100,000 nested objects, at ${param} are refused there`, async () => {
    const lists = await send(bodyWith(template, NESTED_LISTS));
    assertRefused(lists, 'parameter_invalid', insideLists[param] ?? param);
    const objects = await send(bodyWith(template, NESTED_OBJECTS));
    assertRefused(objects, 'parameter_invalid', insideObjects[param] ?? param);
  });

test('200,000 nested lists as the whole body, closed or not, are refused', async () => {
  assertRefused(await send(NESTED_LISTS), 'parameter_invalid', 'body');
  assertRefused(await send('['.repeat(DEPTH)), 'request_body_invalid');
  assertRefused(await send('{"gifts":'.repeat(100_000)), 'request_body_invalid');
});

test('nested lists in every other operation that takes a body are refused', async () => {
  const { body: order } = await organization.sandbox.order([
    gift({ delivery: { method: 'email', email: 'bounced@sandbox.gift.test' } }),
  ]);
  const { gift_id } = order.gifts[0];
  const redirect = await organization.sandbox.put(`/v1/gifts/${gift_id}/delivery`, `{"method":${NESTED_LISTS}}`);
  assertRefused(redirect, 'parameter_invalid', 'method');
  const delivery = await organization.sandbox.post(
    `/v1/sandbox/gifts/${gift_id}/deliver`,
    `{"outcome":${NESTED_LISTS}}`,
  );
  assertRefused(delivery, 'parameter_invalid', 'outcome');
});

test('a number of a megabyte is no amount', async () => {
  const digits = '9'.repeat(1_000_000);
  for (const number of [digits, `-${digits}`, `1.${digits}`, `1e${digits}`, `1e-${digits}`])
    assertRefused(
      await send(bodyWith({ gifts: [gift({ amount: 'HERE' })] }, number)),
      'parameter_invalid',
      'gifts[0].amount',
    );
});

test('a text of a megabyte is no name, address, method or category', async () => {
  const text = JSON.stringify('a'.repeat(1_000_000));
  for (const [param, template] of fields.slice(3))
    assertRefused(await send(bodyWith(template, text)), 'parameter_invalid', param);
});

test('as many members as a megabyte holds are refused, and quickly', async () => {
  // Of this process, which the service runs in: other tests beside it do not count.
  const before = process.cpuUsage();
  const members = Array.from({ length: 90_000 }, (_, index) => `"${index}":0`).join();
  assertRefused(await send(`{${members}}`), 'parameter_invalid', 'gifts');
  assertRefused(await send(`{"gifts":[{${members}}]}`), 'parameter_invalid', 'gifts[0].amount');
  assertRefused(await send(`{"gifts":[${'{},'.repeat(340_000)}{}]}`), 'parameter_invalid', 'gifts');
  assertRefused(await send(`[${'0,'.repeat(520_000)}0]`), 'parameter_invalid', 'body');
  assertRefused(await send(`{${'"a":0,'.repeat(170_000)}"a":0}`), 'parameter_invalid', 'gifts');
  const gifts = `"gifts":[${JSON.stringify(gift())}]`;
  assertRefused(await send(`{${`${gifts},`.repeat(2_000)}${gifts}}`), 'parameter_invalid', '""');
  // A validator that collects all errors takes 650 ms and more for each; this one some 30 ms.
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 3_000_000, `${user + system} µs of processor time`);
});

test('an order that is long by its escapes and blanks is placed as it is, and is the same as its short form', async () => {
  const name = '\u{1f381}é'.repeat(60);
  const personalization = { recipient_name: name, sender_name: name };
  const gifts = Array.from({ length: 10 }, () => gift({ personalization }));
  const short = JSON.stringify({ gifts });
  const escaped = short.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const long = escaped.replaceAll(',"', `,${' \n\t'.repeat(1_000)}"`);
  assert.ok(Buffer.byteLength(short) < 32_768 && long.length > 100_000 && long.length < 1_048_576);
  const placed = await send(long, { 'Idempotency-Key': 'long' });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  assert.equal(placed.body.gifts.length, 10);
  for (const { personalization: shown } of placed.body.gifts) assert.deepEqual(shown, personalization);
  const replayed = await send(short, { 'Idempotency-Key': 'long' });
  assert.deepEqual([replayed.status, replayed.body], [200, placed.body]);
});

test('__proto__ and constructor are unknown fields like any other, wherever they stand', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const member = `"${name}":{"amount":1000,"isAdmin":true}`;
    const whole = JSON.stringify(gift()).slice(0, -1);
    const delivery = `{"method":"link","${name}":{"method":"link"}}`;
    assertRefused(await send(`{"gifts":[${whole}}],${member}}`), 'parameter_invalid', name);
    assertRefused(await send(`{"gifts":[${whole},${member}}]}`), 'parameter_invalid', `gifts[0].${name}`);
    assertRefused(
      await send(bodyWith({ gifts: [gift({ delivery: 'HERE' })] }, delivery)),
      'parameter_invalid',
      `gifts[0].delivery.${name}`,
    );
  }
  assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined);
});

test('control characters in the name of an unknown field are not given back', async () => {
  for (const character of ['\0', '\u001b', '\r\n', '\u007f', '\u009b', '\u2028', '\ud800']) {
    const shown = `a${'\ufffd'.repeat(character.length)}b`;
    const answer = await send(JSON.stringify({ gifts: [gift()], [`a${character}b`]: 1 }));
    assertRefused(answer, 'parameter_invalid', shown);
    assert.equal(answer.body.error.message, `The field ${shown} is not known here. Check its spelling.`);
  }
});

test('what stands in __proto__ does not count as sent', async () => {
  assertRefused(await send(`{"__proto__":{"gifts":[${JSON.stringify(gift())}]}}`), 'parameter_invalid', 'gifts');
  assertRefused(
    await send(`{"gifts":[{"__proto__":${JSON.stringify(gift())}}]}`),
    'parameter_invalid',
    'gifts[0].amount',
  );
});

test('half a surrogate pair and a NUL are refused where they stand, also written as escapes', async () => {
  for (const text of ['\\ud800', '\\udc00', 'a\\ud83db', '\\u0000']) {
    const name = bodyWith({ gifts: [gift({ personalization: { recipient_name: 'HERE' } })] }, `"${text}"`);
    assertRefused(await send(name), 'parameter_invalid', 'gifts[0].personalization.recipient_name');
    const category = bodyWith({ gifts: [gift({ category: 'HERE' })] }, `"${text}"`);
    assertRefused(await send(category), 'parameter_invalid', 'gifts[0].category');
  }
  const pair = bodyWith({ gifts: [gift({ personalization: { recipient_name: 'HERE' } })] }, '"\\ud83d\\ude00"');
  const { body } = await send(pair, { 'Idempotency-Key': 'a whole pair' });
  assert.equal(body.gifts[0].personalization.recipient_name, '😀');
});

const bytesOf = (...parts: (string | number[])[]) =>
  Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
const [start = '', end = ''] = JSON.stringify({ gifts: [gift({ personalization: { recipient_name: 'HERE' } })] }).split(
  'HERE',
);

test('a byte order mark is passed over', async () => {
  const answer = await send(bytesOf([0xef, 0xbb, 0xbf], start, 'Ada', end), { 'Idempotency-Key': 'a byte order mark' });
  assert.equal(answer.status, 201);
});

test('a body that is not UTF-8 is 400, never altered', async () => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80], [0xe9]])
    assertRefused(await send(bytesOf(start, bytes, end)), 'request_body_invalid');
  const utf16 = Uint8Array.from(Buffer.from(`\ufeff${start}Ada${end}`, 'utf16le'));
  assertRefused(await send(utf16), 'request_body_invalid');
});

test('a compressed body is 400, whatever its Content-Encoding says', async () => {
  const compressed = Uint8Array.from(gzipSync(`${start}Ada${end}`));
  for (const encoding of ['gzip', 'br', 'identity'])
    assertRefused(await send(compressed, { 'Content-Encoding': encoding }), 'request_body_invalid');
});

test('of a member sent twice the last counts, and white space counts nothing', async () => {
  const twice = `{"gifts":[],\r\n\t "gifts":[${JSON.stringify(gift()).replace('{', '{"amount":1,')}]}  `;
  assert.equal((await send(twice, { 'Idempotency-Key': 'twice' })).body.gifts[0].amount, 2500);
});
