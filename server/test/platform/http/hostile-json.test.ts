import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { grantOf } from '../../harness/agent-grant.ts';
import { gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// Bodies that an attacker sends.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());

afterEach(async () => {
  assert.deepEqual((await service.api().get('/v1/health')).body, { status: 'ok' });
});

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  organization.sandbox.post('/v1/orders', body, { 'Idempotency-Key': 'hostile', ...headers });

/** Replaces `"HERE"` with this JSON text. */
const bodyWith = (template: object, text: string) => JSON.stringify(template).replace('"HERE"', text);

const fields: [param: string, template: object][] = [
  ['gifts[0].amount', { gifts: [gift({ amount: 'HERE' })] }],
  ['gifts[0].delivery.email', { gifts: [gift({ delivery: { method: 'email', email: 'HERE' } })] }],
  ['gifts[0].personalization.sender_name', { gifts: [gift({ personalization: { sender_name: 'HERE' } })] }],
  ['unknown', { gifts: [gift()], unknown: 'HERE' }],
];
const nestedLists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test('refuses lists and objects nested over 64 deep, closed or not', async () => {
  for (const [param, template] of fields)
    for (const nested of [nestedLists, nestedObjects]) {
      assertRefused(await send(bodyWith(template, nested(50))), 'parameter_invalid', param);
      assertRefused(await send(bodyWith(template, nested(100_000))), 'request_body_invalid');
    }
  assertRefused(await send(nestedLists(64)), 'parameter_invalid', 'body');
  assertRefused(await send(nestedLists(65)), 'request_body_invalid');
  assertRefused(await send('['.repeat(200_000)), 'request_body_invalid');
  assertRefused(await send('{"gifts":'.repeat(100_000)), 'request_body_invalid');
});

test('refuses an object of more than 1,000 members at each door before it is validated', async () => {
  const crowded = JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`f${index}`, 1])));
  assertRefused(await send(`{"gifts":[{"delivery":${crowded}}]}`), 'parameter_invalid', 'gifts[0].delivery');
  const { token } = await grantOf(service, organization);
  const origin = service.service.deps.publicUrl();
  for (const [path, headers] of [
    ['/oauth/register', {}],
    ['/mcp', { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }],
    ['/portal/api/auth/email-otp/send-verification-otp', { origin }],
  ] as const) {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: crowded,
    });
    assert.deepEqual([path, answer.status], [path, 422], await answer.text());
  }
});

test('refuses a number or a text of a megabyte in any field', async () => {
  const digits = '9'.repeat(1_000_000);
  const texts = [digits, `1.${digits}`, `1e-${digits}`, JSON.stringify('a'.repeat(1_000_000))];
  for (const [param, template] of fields)
    for (const text of texts) assertRefused(await send(bodyWith(template, text)), 'parameter_invalid', param);
});

test('refuses a megabyte of members or elements at its first error', async () => {
  const members = Array.from({ length: 90_000 }, (_, index) => `"${index}":0`).join();
  assertRefused(await send(`{${members}}`), 'parameter_invalid', 'body');
  assertRefused(await send(`{"gifts":[{${members}}]}`), 'parameter_invalid', 'gifts[0]');
  assertRefused(await send(`{"gifts":[${'{},'.repeat(340_000)}{}]}`), 'parameter_invalid', 'gifts');
  assertRefused(await send(`[${'0,'.repeat(520_000)}0]`), 'parameter_invalid', 'body');
  assertRefused(await send(`{${'"a":0,'.repeat(170_000)}"a":0}`), 'parameter_invalid', 'body');
});

test('an order with long escapes and white space replays as its short form', async () => {
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

test('__proto__ and constructor are unknown fields like any other', async () => {
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

test('an error does not repeat control characters of a field name', async () => {
  for (const character of ['\0', '\u001b', '\r\n', '\u007f', '\u009b', '\u2028', '\ud800']) {
    const shown = `a${'\ufffd'.repeat(character.length)}b`;
    const answer = await send(JSON.stringify({ gifts: [gift()], [`a${character}b`]: 1 }));
    assertRefused(answer, 'parameter_invalid', shown);
    assert.equal(answer.body.error.message, `The field ${shown} is not known here. Check its spelling.`);
  }
});

test('ignores fields inside __proto__', async () => {
  assertRefused(await send(`{"__proto__":{"gifts":[${JSON.stringify(gift())}]}}`), 'parameter_invalid', 'gifts');
  assertRefused(
    await send(`{"gifts":[{"__proto__":${JSON.stringify(gift())}}]}`),
    'parameter_invalid',
    'gifts[0].amount',
  );
});

test('refuses half a surrogate pair and a NUL, also as escapes', async () => {
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

test('skips a byte order mark', async () => {
  const answer = await send(bytesOf([0xef, 0xbb, 0xbf], start, 'Ada', end), { 'Idempotency-Key': 'a byte order mark' });
  assert.equal(answer.status, 201);
});

test('refuses a body that is not UTF-8', async () => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80], [0xe9]])
    assertRefused(await send(bytesOf(start, bytes, end)), 'request_body_invalid');
  const utf16 = Uint8Array.from(Buffer.from(`\ufeff${start}Ada${end}`, 'utf16le'));
  assertRefused(await send(utf16), 'request_body_invalid');
});

test('refuses a compressed body with any Content-Encoding', async () => {
  const compressed = Uint8Array.from(gzipSync(`${start}Ada${end}`));
  for (const encoding of ['gzip', 'br', 'identity'])
    assertRefused(await send(compressed, { 'Content-Encoding': encoding }), 'request_body_invalid');
});

test('refuses a member that stands twice at any depth, and places nothing', async () => {
  const one = JSON.stringify(gift());
  const named = (text: string) => `{"gifts":[${one.replace('}}', `},"personalization":${text}}`)}]}`;
  for (const text of [
    `{"gifts":[],\r\n\t "gifts":[${one}]}  `,
    `{"gifts":[${one.replace('{', '{"amount":1,')}]}`,
    named('{"sender_name":"A","sender_name":"A"}'),
    named('{"sender_name":"A","sender\\u005fname":"B"}'),
    named('{"__proto__":1,"__proto__":1}'),
    `{"gifts":[${one}],"metadata":{"a":"1","a":"1"}}`,
  ])
    assertRefused(await send(text, { 'Idempotency-Key': 'twice' }), 'request_body_invalid');
  const same = named('{"sender_name":"a\\":\\\\\\":","recipient_name":"{\\"a\\":1,\\"a\\":2}"}');
  assert.equal((await send(same, { 'Idempotency-Key': 'twice' })).status, 201);
});

test('an amount that only rounds to whole cents is refused; a whole one is not', async () => {
  const amountOf = (text: string) => `{"gifts":[${JSON.stringify(gift({ amount: 'HERE' })).replace('"HERE"', text)}]}`;
  const nearly = ['999.99999999999999999', '2500.00000000000000001', '2.500000000000000000001e3', '-1e-400'];
  for (const text of [...nearly, '2500.5', '25000000000000000000001e-19'])
    assertRefused(await send(amountOf(text)), 'parameter_invalid', 'gifts[0].amount');
  for (const [index, text] of ['2500.0', '2.5e3', '2500000e-3', '25E+2', '2500.000e0'].entries())
    assert.equal((await send(amountOf(text), { 'Idempotency-Key': `whole ${index}` })).body.gifts[0].amount, 2500);
  for (const text of ['2500.', '.5e4', '+2500', '1.2.3', '2500e', '02500', '0.5 5'])
    assertRefused(await send(amountOf(text)), 'request_body_invalid');
});
