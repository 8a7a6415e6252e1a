import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { ErrorCode } from '../../../src/platform/base/errors.ts';
import { gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertCommonHeaders, assertRefused, exchange, request } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

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
  for (const [path, status] of [
    ['/v1/health', 200],
    ['/v1/orders', 200],
    ['/v1/gifts?limit=101', 422],
    ['/v1/nothing', 404],
  ] as const) {
    const [get, head] = [await send(`GET ${path}`, [key()]), await send(`HEAD ${path}`, [key()])];
    assert.deepEqual([head.status, head.body], [status, '']);
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
    assertCommonHeaders(head);
  }
});

test('an id of any characters and length is an unknown id', async () => {
  const ids = ['%00', 'a%2Fb', '%2e%2e%2f', '..', '%F0%9F%98%80', '%0d%0aX:y', ';'];
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
  for (const method of ['TRACE', 'QUERY', 'DELETE', 'OPTIONS']) {
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

const post = (headers: string[], body: string) => request('POST /v1/orders', [key(), ...headers], body);
// Node's parser refuses these, the last two while the request is under way.
const malformed: [name: string, bytes: () => string][] = [
  ['no HTTP', () => 'garbage\r\n\r\n'],
  ['TLS', () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
  ['bytes in the path that are not ASCII', () => request('GET /v1/g\xefft')],
  ['a NUL in a header', () => request('GET /v1/health', ['X: a\0b'])],
  ['line feeds alone', () => 'GET /v1/health HTTP/1.1\nHost: gifts.test\n\n'],
  ['two different lengths', () => post(['Content-Length: 2', 'Content-Length: 3'], '{} ')],
  ['a length and chunks', () => post(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
  ['a chunk without a length', () => post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
  ['an encoding that does not end in chunked', () => post(['Transfer-Encoding: gzip'], '{}')],
];
for (const [name, bytes] of malformed)
  test(`HTTP with ${name} is 400 request_body_invalid, and the connection ends`, async () => {
    const answer = await exchange(service.url, Buffer.from(bytes(), 'latin1'));
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

test('ignores an absolute address, an upgrade and a fragment', async () => {
  for (const [firstLine, header] of [
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

test('a second Host or Authorization header is 400, also an equal one', async () => {
  for (const [path, headers] of [
    ['/v1/health', ['Host: elsewhere.test']],
    ['/v1/nothing', ['host: gifts.test']],
    ['/v1/orders', [key(), 'Authorization: Bearer bad']],
    ['/v1/orders', ['Authorization: Bearer bad', key()]],
    ['/v1/orders', [key(), key().replace('Authorization', 'AUTHORIZATION')]],
  ] as const)
    assertRefused(await send(`GET ${path}`, [...headers]), 'request_body_invalid');
});

test('a method that HTTP does not have is 404, and malformed HTTP stays 400', async () => {
  for (const line of ['FOO /v1/orders', 'get /v1/orders', 'FOO /v1/nothing', 'QU!RY /'])
    assertRefused(await send(line, [key()]), 'resource_missing');
  for (const bytes of [
    'FOO\r\n\r\n',
    'FOO /v1/orders HTTP/2.0\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01 HTTP/1.1\r\n\r\n',
  ])
    assertRefused(await exchange(service.url, bytes), 'request_body_invalid');
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
    ['GIFT /', 'resource_missing'],
  ];
  for (const [firstLine, code] of [...refused, ...refused]) {
    const answer = await send(firstLine);
    assertRefused(answer, code);
    seen.add(answer.headers.get('request-id'));
  }
  assert.equal(seen.size, 6);
});
