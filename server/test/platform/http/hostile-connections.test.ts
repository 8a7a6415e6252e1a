import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey } from '../../../src/platform/authentication/key-format.ts';
import { gift } from '../../harness/api-client.ts';
import { whileReadsAreHeld } from '../../harness/hold-reads.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused, connectRaw, connectUnread, exchange, request } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

// Broken connections: a complete request gets its answer, an incomplete one an error object
// (docs/decisions.md#order-of-checks).

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
const key = () => `Authorization: Bearer ${organization.keys.sandbox}`;

const body = JSON.stringify({ gifts: [gift()] });
const order = (name: string, length = body.length) =>
  request('POST /v1/orders', [key(), `Idempotency-Key: ${name}`, `Content-Length: ${length}`], body);
const HEALTH = request('GET /v1/health');

/** Has a key's format, so that PostgreSQL is queried. */
const LIST = request('GET /v1/gifts', [`Authorization: Bearer ${createKey('live', randomUUID())}`]);

/** Lets pending reads and writes finish. */
async function turnLoop(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
}

test('pipelined requests are read in bounded numbers', async (t) => {
  const { server } = service.service.app;
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  server.on('request', count);
  using connection = await connectRaw(service.url);
  await whileReadsAreHeld(t, service, async (isAsked) => {
    void connection.write((LIST + request('GET /v1/nothing')).repeat(2_000));
    await isAsked;
    await turnLoop();
  });
  server.off('request', count);
  // Node reads until 64 kB of answers wait, and 64 kB holds about 700 requests.
  assert.ok(taken < 3_000, `${taken} requests`);
});

test('closes a connection that is not read, and not one that is read slowly', async (t) => {
  const { server } = service.service.app;
  const { timeout } = server;
  t.after(() => {
    server.timeout = timeout;
  });
  server.timeout = 2_000;
  const stalled = await connectUnread(service.url, server);
  const slow = await connectUnread(service.url, server);
  t.after(() => [stalled, slow].map(({ client }) => client.destroy()));
  const reading = setInterval(() => slow.client.read(), 50);
  t.after(() => clearInterval(reading));
  await until(() => stalled.socket.destroyed, 'the connection that is not read is closed');
  assert.equal(slow.socket.destroyed, false);
});

test('answers under way are finished before malformed HTTP closes the connection', async () => {
  using connection = await connectRaw(service.url);
  await connection.write(`${order('first') + HEALTH}garbage\r\n\r\n${HEALTH}`);
  assert.equal((await connection.answer()).status, 201);
  assert.deepEqual((await connection.answer()).body, { status: 'ok' });
  await assert.rejects(connection.answer(), /^Error: The connection ended without a whole answer: “”$/);
});

test('a malformed body is refused by the answer of its request', async () => {
  using connection = await connectRaw(service.url);
  await connection.write(order('before') + request('GET /v1/orders', ['Transfer-Encoding: gzip']) + HEALTH);
  assert.equal((await connection.answer()).status, 201);
  assertRefused(await connection.answer(), 'api_key_missing');
  await connection.closed;
});

test('a body whose chunks break off after a while is 400, and the order is not placed', async () => {
  const { sandbox, keys } = await service.organization();
  using connection = await connectRaw(service.url);
  const headers = [`Authorization: Bearer ${keys.sandbox}`, 'Idempotency-Key: chunks', 'Transfer-Encoding: chunked'];
  await connection.write(request('POST /v1/orders', headers, `${body.length.toString(16)}\r\n${body}\r\n`));
  await sandbox.get('/v1/orders');
  await connection.write('no length\r\n');
  assertRefused(await connection.answer(), 'request_body_invalid');
  await connection.closed;
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, []);
});

test('a client that writes a megabyte of garbage before it reads still gets its answer', async () => {
  using connection = await connectRaw(service.url);
  for (let piece = 0; piece < 16; piece += 1) await connection.write(Buffer.alloc(65_536, 1));
  assertRefused(await connection.answer(), 'request_body_invalid');
});

test('after an early answer the next malformed request is refused too', async () => {
  using connection = await connectRaw(service.url);
  await connection.write(request('POST /v1/nothing', ['Content-Length: 4'], 'ab'));
  assertRefused(await connection.answer(), 'resource_missing');
  await connection.write(`cd${HEALTH}`);
  assert.deepEqual((await connection.answer()).body, { status: 'ok' });
  await connection.write('garbage\r\n\r\n');
  assertRefused(await connection.answer(), 'request_body_invalid');
});

test('closes the connection after an ignored upgrade', async () => {
  using connection = await connectRaw(service.url);
  await connection.write(request('GET /v1/health', ['Connection: Upgrade', 'Upgrade: h2c']) + HEALTH);
  const answer = await connection.answer();
  assert.deepEqual(answer.body, { status: 'ok' });
  assert.equal(answer.headers.get('connection'), 'close');
  await connection.closed;
});

test('a client that ends its side after the request gets the answer, once', async () => {
  const { sandbox, keys } = await service.organization();
  const whole = order('half').replace(organization.keys.sandbox, keys.sandbox);
  for (const status of [201, 200]) {
    using connection = await connectRaw(service.url);
    void connection.write(whole);
    connection.endWriting();
    assert.equal((await connection.answer()).status, status);
    await connection.closed;
  }
  assert.equal((await sandbox.get('/v1/orders')).body.data.length, 1);
});

test('a connection that ends its side without a request, or amid one, is closed', async () => {
  for (const start of ['', HEALTH]) {
    using connection = await connectRaw(service.url);
    await connection.write(start);
    if (start !== '') await connection.answer();
    connection.endWriting();
    await connection.closed;
  }
  using connection = await connectRaw(service.url);
  await connection.write(order('amid', body.length + 1));
  connection.endWriting();
  assertRefused(await connection.answer(), 'request_body_invalid');
  await connection.closed;
  const connections = () =>
    new Promise<number>((resolve) => service.service.app.server.getConnections((_, count) => resolve(count)));
  const gone = await Promise.all(Array.from({ length: 50 }, () => connectRaw(service.url)));
  for (const one of gone) {
    void one.write(LIST);
    one.endWriting();
    one.hangUp();
  }
  await until(async () => (await connections()) < 50, 'their connections are closed');
});

test('a client that hangs up in the middle of its headers or its body leaves no order', async () => {
  const { sandbox, keys } = await service.organization();
  const whole = order('hang up').replace(organization.keys.sandbox, keys.sandbox);
  for (const length of [1, 20, whole.length - body.length, whole.length - 1]) {
    const connection = await connectRaw(service.url);
    await connection.write(whole.slice(0, length));
    connection.hangUp();
  }
  const { status } = await sandbox.order([gift()], 'hang up');
  assert.equal(status, 201);
  assert.equal((await sandbox.get('/v1/orders')).body.data.length, 1);
});

test('an order whose client closed the connection is placed at most once', async () => {
  const { sandbox, keys } = await service.organization();
  const connection = await connectRaw(service.url);
  await connection.write(order('gone').replace(organization.keys.sandbox, keys.sandbox));
  connection.hangUp();
  let answer = await sandbox.post('/v1/orders', body, { 'Idempotency-Key': 'gone' });
  while (answer.status === 409) answer = await sandbox.post('/v1/orders', body, { 'Idempotency-Key': 'gone' });
  assert.ok(answer.status === 200 || answer.status === 201);
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, [answer.body]);
});

// At most 2,500 requests may be under way; an abandoned request must not count for ever.
test('10,000 requests whose clients closed the connection leave room for others', async () => {
  for (let client = 0; client < 20; client += 1) {
    const connection = await connectRaw(service.url);
    await connection.write(request('GET /v1/orders', [key()]).repeat(500));
    connection.hangUp();
    assert.equal((await organization.sandbox.get('/v1/orders')).status, 200);
  }
});

suite('slow clients', { concurrency: true }, () => {
  /** Sends a byte now and then until the service answers, although the request has not ended. */
  async function trickle(start: string) {
    using connection = await connectRaw(service.url);
    await connection.write(start);
    let isAnswered = false;
    const answered = connection.answer().finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      await connection.write(' ');
      await Promise.race([pause(700, undefined, { ref: false }), answered]);
    }
    return answered;
  }

  test('headers that arrive without an end are 400', async () => {
    const answer = await trickle('GET /v1/health HTTP/1.1\r\nHost: gifts.test\r\nX: slow');
    assertRefused(answer, 'request_body_invalid');
  });

  test('a body that arrives without an end is 400 and places no order', async () => {
    const answer = await trickle(order('slow', 10_000));
    assertRefused(answer, 'request_body_invalid');
    assert.match(answer.body.error.message, /did not arrive in time/);
    assert.equal((await organization.sandbox.order([gift()], 'slow')).status, 201);
  });

  test('a connection on which nothing arrives is closed without a byte', async () => {
    using connection = await connectRaw(service.url);
    await assert.rejects(connection.answer(), /^Error: The connection ended without a whole answer: “”$/);
    await connection.closed;
  });

  test('a connection on which one byte arrives is answered', async () => {
    using connection = await connectRaw(service.url);
    await connection.write('G');
    assertRefused(await connection.answer(), 'request_body_invalid');
    await connection.closed;
  });

  test('other clients are answered at the same time', async () => {
    await pause(2_000);
    assert.deepEqual((await exchange(service.url, HEALTH)).body, { status: 'ok' });
  });
});
