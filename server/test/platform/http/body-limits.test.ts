import assert from 'node:assert/strict';
import { afterEach, type TestContext, test } from 'node:test';
import { gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused, connectRaw, exchange, request } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// 1 MB is 1,048,576 bytes; after a 413 the rest is read and dropped (docs/decisions.md#order-of-checks, 5).

const LIMIT = 1_048_576;

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
const key = () => `Authorization: Bearer ${organization.keys.sandbox}`;

afterEach(async () => {
  assert.deepEqual((await service.api().get('/v1/health')).body, { status: 'ok' });
});

/** An order's body with exactly this number of bytes. */
const orderOf = (bytes: number) => JSON.stringify({ gifts: [gift()] }).padEnd(bytes, ' ');

/** Sends the body in chunks, as a client that does not know its length. */
function chunked(body: string, chunkBytes = 65_536): string {
  const chunks: string[] = [];
  for (let start = 0; start < body.length; start += chunkBytes) {
    const chunk = body.slice(start, start + chunkBytes);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return `${chunks.join('')}0\r\n\r\n`;
}

const CHUNKED = 'Transfer-Encoding: chunked';
const orders = (name: string, ...headers: string[]) => [key(), `Idempotency-Key: ${name}`, ...headers];

test('a body of exactly 1 MiB is read, with a length and in chunks', async () => {
  const body = orderOf(LIMIT);
  const withLength = request('POST /v1/orders', orders('length', `Content-Length: ${LIMIT}`), body);
  assert.equal((await exchange(service.url, withLength)).status, 201);
  const inChunks = request('POST /v1/orders', orders('chunks', CHUNKED), chunked(body));
  assert.equal((await exchange(service.url, inChunks)).status, 201);
});

test('a body is read to its end, in any number of pieces', async () => {
  const body = JSON.stringify({ gifts: [gift()] });
  // A cached key, so that the body is there when it is read.
  await organization.sandbox.order([gift()]);
  for (const [name, sent] of [
    ['ten bytes each', chunked(body, 10)],
    ['the last of many', chunked(body.padStart(200_000, ' '), 1_000)],
  ] as const) {
    const answer = await exchange(service.url, request('POST /v1/orders', orders(name, CHUNKED), sent));
    assert.deepEqual([answer.status, answer.body.gifts?.length], [201, 1], name);
  }
  for (const bytes of [60_000, 68_000, 130_000, 500_000]) {
    const headers = orders(`${bytes}`, `Content-Length: ${bytes}`);
    const { status } = await exchange(service.url, request('POST /v1/orders', headers, body.padStart(bytes, ' ')));
    assert.equal(status, 201, `${bytes}`);
  }
});

test('a body of 1 MiB and a byte is 413 and places no order', async () => {
  const before = (await organization.sandbox.get('/v1/orders')).body;
  const body = orderOf(LIMIT + 1);
  const withLength = request('POST /v1/orders', orders('too long', `Content-Length: ${LIMIT + 1}`), body);
  assertRefused(await exchange(service.url, withLength), 'request_body_too_large');
  const inChunks = request('POST /v1/orders', orders('too long', CHUNKED), chunked(body));
  assertRefused(await exchange(service.url, inChunks), 'request_body_too_large');
  assert.deepEqual((await organization.sandbox.get('/v1/orders')).body, before);
});

test('the limit counts bytes, not characters', async () => {
  const body = JSON.stringify({ gifts: [gift()], note: '😀'.repeat(300_000) });
  assert.ok(body.length < LIMIT && Buffer.byteLength(body) > LIMIT);
  const answer = await organization.sandbox.post('/v1/orders', body, { 'Idempotency-Key': 'bytes' });
  assertRefused(answer, 'request_body_too_large');
});

test('every operation refuses a body over the limit', async () => {
  const body = ' '.repeat(LIMIT + 1);
  for (const firstLine of [
    'GET /v1/categories',
    'GET /v1/orders',
    'GET /v1/orders/x',
    'GET /v1/gifts/x',
    'PUT /v1/gifts/x/delivery',
    'POST /v1/sandbox/gifts/x/deliver',
    'POST /v1/sandbox/gifts/x/open',
    'POST /v1/sandbox/reset',
    'GET /v1/health',
    'GET /v1/openapi.json',
  ]) {
    const withLength = request(firstLine, [key(), `Content-Length: ${body.length}`], body);
    assertRefused(await exchange(service.url, withLength), 'request_body_too_large');
    assertRefused(
      await exchange(service.url, request(firstLine, [key(), CHUNKED], chunked(body))),
      'request_body_too_large',
    );
  }
});

test('a GET with a body within the limit ignores it, and the connection stays in step', async () => {
  using connection = await connectRaw(service.url);
  const body = 'GET /v1/orders HTTP/1.1\r\n\r\n';
  await connection.write(request('GET /v1/health', [`Content-Length: ${body.length}`], body));
  await connection.write(request('GET /v1/health', [CHUNKED], chunked('not JSON')));
  await connection.write(request('GET /v1/nothing'));
  assert.deepEqual((await connection.answer()).body, { status: 'ok' });
  assert.deepEqual((await connection.answer()).body, { status: 'ok' });
  assertRefused(await connection.answer(), 'resource_missing');
});

test('an announced gigabyte is refused at once', async () => {
  using connection = await connectRaw(service.url);
  await connection.write(request('POST /v1/orders', orders('gigabyte', `Content-Length: ${2 ** 30}`)));
  assertRefused(await connection.answer(), 'request_body_too_large');
});

test('without a key, an announced gigabyte is 401 before any of it is read', async () => {
  using connection = await connectRaw(service.url);
  await connection.write(request('POST /v1/orders', [`Content-Length: ${2 ** 30}`]));
  assertRefused(await connection.answer(), 'api_key_missing');
});

/** Waits for a client as long as the test takes. */
const stopTime = (t: TestContext) => t.mock.timers.enable({ apis: ['setTimeout'] });

for (const [name, header, of] of [
  ['with a length', `Content-Length: ${5 * LIMIT}`, (body: string) => body],
  ['in chunks', CHUNKED, chunked],
] as const)
  test(`a client that writes 5 MiB ${name} gets its answer and keeps its connection`, async (t) => {
    stopTime(t);
    using connection = await connectRaw(service.url);
    const bytes = Buffer.from(request('POST /v1/orders', orders('first', header), of('x'.repeat(5 * LIMIT))));
    for (let start = 0; start < bytes.length; start += 262_144) {
      await connection.write(bytes.subarray(start, start + 262_144));
      // The service reads each piece alone, long after its answer.
      await new Promise((resolve) => setImmediate(resolve));
    }
    assertRefused(await connection.answer(), 'request_body_too_large');
    await connection.write(request('GET /v1/orders?limit=1', [key()]));
    assert.equal((await connection.answer()).status, 200);
  });

test('a client that goes on writing after a 413 is cut off', async (t) => {
  stopTime(t);
  using connection = await connectRaw(service.url);
  const piece = Buffer.alloc(LIMIT, 'x');
  await connection.write(request('POST /v1/orders', orders('endless', `Content-Length: ${2 ** 40}`)));
  assertRefused(await connection.answer(), 'request_body_too_large');
  let isCut = false;
  void connection.closed.then(() => {
    isCut = true;
  });
  let pieces = 0;
  while (!isCut && pieces < 200) {
    await connection.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
    pieces += 1;
  }
  // 16 MiB are read, plus the kernel's buffers on both sides.
  assert.ok(pieces >= 16 && pieces < 60, `${pieces} MiB were taken.`);
});

test('a client that pauses after a 413 is cut off within some seconds', async (t) => {
  stopTime(t);
  using connection = await connectRaw(service.url);
  await connection.write(request('POST /v1/orders', orders('pause', `Content-Length: ${2 * LIMIT}`), 'x'));
  assertRefused(await connection.answer(), 'request_body_too_large');
  t.mock.timers.tick(3_000);
  await connection.closed;
});
