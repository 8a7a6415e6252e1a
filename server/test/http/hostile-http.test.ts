import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { ErrorCode } from '../../src/errors.ts';
import { gift } from '../harness/api-client.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { assertCommonHeaders, assertRefused, exchange, request } from '../harness/raw-http.ts';
import { startTestService } from '../harness/test-service.ts';

// HTTP that no library would send gets an error object or a normal answer (docs/decisions.md#order-of-checks).

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
const key = () => `Authorization: Bearer ${organization.keys.sandbox}`;

afterEach(async () => {
  const answer = await exchange(service.url, request('GET /v1/health'));
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { status: 'ok' });
});

const send = (firstLine: string, headers: string[] = [], body = '') =>
  exchange(service.url, request(firstLine, headers, body));

const order = JSON.stringify({ gifts: [gift()] });
const sendOrder = (name: string, ...headers: string[]) =>
  send('POST /v1/orders', [key(), `Idempotency-Key: ${name}`, `Content-Length: ${order.length}`, ...headers], order);

test('HEAD answers like GET, without a body', async () => {
  for (const path of ['/v1/health', '/v1/openapi.json', '/v1/orders', '/v1/gifts?limit=1', '/v1/categories']) {
    const [get, head] = [await send(`GET ${path}`, [key()]), await send(`HEAD ${path}`, [key()])];
    assert.equal(head.status, 200);
    assert.equal(head.body, '');
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
    assertCommonHeaders(head);
  }
});

test('HEAD is refused like GET, without a body', async () => {
  for (const [firstLine, status] of [
    ['HEAD /v1/orders', 401],
    ['HEAD /v1/nothing', 404],
    ['HEAD /v1/sandbox/reset', 404],
    ['HEAD /v1/orders/%ZZ', 404],
  ] as const) {
    const answer = await send(firstLine);
    assert.equal(answer.status, status);
    assert.equal(answer.body, '');
    assertCommonHeaders(answer);
  }
});

test('an id of any characters and length is an unknown id', async () => {
  const ids = [
    '%00',
    '%2F',
    'a%2Fb',
    '%2e%2e%2f',
    '..',
    '%F0%9F%98%80',
    '%E2%80%8B',
    "'",
    '"',
    '%0d%0aX:y',
    '*',
    ';',
    '%25',
  ];
  for (const id of [...ids, 'a'.repeat(10_000), '%61'.repeat(5_000), 'ord_', 'ord_00000000000000000000000000']) {
    assertRefused(await send(`GET /v1/orders/${id}`, [key()]), 'resource_missing');
    assertRefused(await send(`GET /v1/gifts/${id}`, [key()]), 'resource_missing');
    assertRefused(await send(`POST /v1/sandbox/gifts/${id}/claim`, [key()]), 'resource_missing');
  }
});

test('a percent-encoded id is the id', async () => {
  const { body } = await organization.sandbox.order([gift()]);
  const encoded = body.order_id.replace(/./g, (one: string) => `%${one.charCodeAt(0).toString(16)}`);
  assert.deepEqual((await send(`GET /v1/orders/${encoded}`, [key()])).body, body);
});

test('broken percent-encoding in a path is 404, with and without a key', async () => {
  for (const path of ['/v1/orders/%ZZ', '/v1/orders/%', '/v1/gifts/%ff', '/v1/gifts/%c0%80', '/%', '/g/%E0%A4%A']) {
    assertRefused(await send(`GET ${path}`, [key()]), 'resource_missing');
    assertRefused(await send(`PUT ${path}`), 'resource_missing');
  }
});

test('a path that only looks like one of ours is 404', async () => {
  for (const path of [
    '//v1/orders',
    '/v1//orders',
    '/v1/orders//',
    '/v1/orders/',
    '/v1/orders;x=1',
    '/v1/./orders',
    '/v1/%2Forders',
  ])
    assertRefused(await send(`GET ${path}`, [key()]), 'resource_missing');
  assertRefused(await send('OPTIONS *'), 'resource_missing');
});

test('other methods are 404 with an Allow header', async () => {
  for (const method of ['PROPFIND', 'TRACE', 'LOCK', 'PURGE', 'M-SEARCH', 'QUERY', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await send(`${method} /v1/orders`, [key()]);
    assertRefused(answer, 'resource_missing');
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST');
  }
  assertRefused(await send('CONNECT gifts.test:443'), 'resource_missing');
  assertRefused(await send('CONNECT /v1/orders', [key()]), 'resource_missing');
});

test('headers of up to 16 KB are read, more is 413', async () => {
  const { body } = await send('GET /v1/health', [`X-Filler: ${'a'.repeat(15_000)}`]);
  assert.deepEqual(body, { status: 'ok' });
  assertRefused(await send('GET /v1/health', [`X-Filler: ${'a'.repeat(20_000)}`]), 'request_body_too_large');
  assertRefused(await send('GET /v1/health', Array(3_000).fill('X: filler')), 'request_body_too_large');
  assertRefused(await send(`GET /v1/orders/${'a'.repeat(20_000)}`, [key()]), 'request_body_too_large');
  assertRefused(await send(`GET /v1/orders?limit=${'1'.repeat(20_000)}`, [key()]), 'request_body_too_large');
  assertRefused(await send('GET /v1/orders', [`${key()}${'a'.repeat(1_000_000)}`]), 'request_body_too_large');
});

const malformed: [name: string, bytes: string][] = [
  ['no HTTP', 'garbage\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown method', request('GIFT /v1/orders')],
  ['a method in lower case', request('get /v1/health')],
  ['no path', 'GET HTTP/1.1\r\n\r\n'],
  ['a path without a slash', request('GET v1/health')],
  ['bytes in the path that are not ASCII', request('GET /v1/g\xefft')],
  ['a blank in a header’s name', request('GET /v1/health', ['X : y'])],
  ['no colon in a header', request('GET /v1/health', ['X'])],
  ['a NUL in a header', request('GET /v1/health', ['X: a\0b'])],
  ['a DEL in a header', request('POST /v1/orders', ['Idempotency-Key: a\x7f'])],
  ['a header folded over two lines', request('GET /v1/health', ['X: a', ' b'])],
  ['line feeds alone', 'GET /v1/health HTTP/1.1\nHost: gifts.test\n\n'],
  ['an unknown version', 'GET /v1/health HTTP/3.7\r\nHost: gifts.test\r\n\r\n'],
  ['two lengths', request('POST /v1/orders', ['Content-Length: 2', 'Content-Length: 2'], '{}')],
  ['two different lengths', request('POST /v1/orders', ['Content-Length: 2', 'Content-Length: 3'], '{} ')],
  ['a negative length', request('POST /v1/orders', ['Content-Length: -1'], '{}')],
  ['a length that is not a number', request('POST /v1/orders', ['Content-Length: two'], '{}')],
  ['a length of 30 digits', request('POST /v1/orders', [`Content-Length: ${'9'.repeat(30)}`], '{}')],
  ['a length and chunks', request('POST /v1/orders', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
];
for (const [name, bytes] of malformed)
  test(`HTTP with ${name} is 400 request_body_invalid, and the connection ends`, async () => {
    const answer = await exchange(service.url, Buffer.from(bytes, 'latin1'));
    assertRefused(answer, 'request_body_invalid');
    assert.equal(answer.headers.get('connection'), 'close');
  });

// Only the headers are valid: the request is under way when its body turns out to be malformed.
const brokenBodies: [name: string, headers: string[], body: string][] = [
  ['a chunk without a length', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
  ['a chunk longer than its length', ['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n'],
  ['an encoding that does not end in chunked', ['Transfer-Encoding: gzip'], '{}'],
  ['chunked twice', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
];
for (const [name, headers, body] of brokenBodies)
  test(`a body with ${name} is 400 request_body_invalid, and the connection ends`, async () => {
    const answer = await send('POST /v1/orders', [key(), 'Idempotency-Key: broken', ...headers], body);
    assertRefused(answer, 'request_body_invalid');
    assert.equal(answer.headers.get('connection'), 'close');
  });

test('a missing Host is 400 in HTTP/1.1, before anything else, and fine in HTTP/1.0', async () => {
  assertRefused(await exchange(service.url, 'GET /v1/health HTTP/1.1\r\n\r\n'), 'request_body_invalid');
  assertRefused(await exchange(service.url, 'GET /v1/nothing HTTP/1.1\r\n\r\n'), 'request_body_invalid');
  const older = await exchange(service.url, 'GET /v1/health HTTP/1.0\r\n\r\n');
  assert.deepEqual(older.body, { status: 'ok' });
  assert.equal(older.headers.get('connection'), 'close');
  assertCommonHeaders(older);
});

test('ignores a second Host, an absolute address, an upgrade and a fragment', async () => {
  for (const [firstLine, header] of [
    ['GET /v1/health', 'Host: elsewhere.test'],
    ['GET http://elsewhere.test/v1/health', 'X: y'],
    ['GET /v1/health', 'Connection: Upgrade\r\nUpgrade: websocket'],
    ['GET /v1/health', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c'],
    ['GET /v1/health#part', 'X: y'],
  ] as const) {
    const answer = await send(firstLine, [header]);
    assert.equal(answer.status, 200, header);
    assert.deepEqual(answer.body, { status: 'ok' });
    assertCommonHeaders(answer);
  }
});

test('of two Authorization headers the first counts, never a mixture', async () => {
  assert.equal((await send('GET /v1/orders', [key(), 'Authorization: Bearer bad'])).status, 200);
  assertRefused(await send('GET /v1/orders', ['Authorization: Bearer bad', key()]), 'api_key_invalid');
});

test('an Expect other than 100-continue is 400; with 100-continue the order is placed', async () => {
  for (const expect of ['foo', '200-ok', 'x'.repeat(5_000)])
    assertRefused(await sendOrder('expect', `Expect: ${expect}`), 'request_body_invalid');
  assert.equal((await sendOrder('expect', 'Expect: 100-continue')).status, 201);
});

test('override headers for method, path or address are ignored', async () => {
  const headers = ['X-HTTP-Method-Override: POST', 'X-Original-URL: /v1/health', 'X-Rewrite-URL: /v1/health'];
  const answer = await send('GET /v1/nothing', [...headers, 'X-Forwarded-Host: elsewhere.test']);
  assertRefused(answer, 'resource_missing');
  assert.doesNotMatch(JSON.stringify(answer.body), /elsewhere/);
});

test('a Request-Id from the caller is ignored', async () => {
  const answer = await send('GET /v1/health', ['Request-Id: req_mine', 'X-Request-Id: req_mine']);
  assertCommonHeaders(answer);
});

test('no two answers have the same Request-Id', async () => {
  const seen = new Set<string | null>();
  const refused: [firstLine: string, code: ErrorCode][] = [
    ['GET /v1/orders', 'api_key_missing'],
    ['GET /%', 'resource_missing'],
    ['GIFT /', 'request_body_invalid'],
  ];
  for (const [firstLine, code] of [...refused, ...refused]) {
    const answer = await send(firstLine);
    assertRefused(answer, code);
    seen.add(answer.headers.get('request-id'));
  }
  assert.equal(seen.size, 6);
});
