import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openForFile } from '../../harness/open-for-file.ts';
import { connectRaw, request } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// A client that writes its whole request before it reads gets its answer, also if the service needs none of the body.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
const suspended = openForFile(async () => {
  const other = await service.organization();
  await service.sql('update organizations set suspended_at = now() where organization_id = $1', [
    other.organizationUuid,
  ]);
  return other;
});

const LENGTH = 12_000_000;

const cases = (): [status: number, path: string, key: string][] => [
  [413, '/v1/orders', organization.keys.sandbox],
  [401, '/v1/orders', 'bestow-sandbox-unknown'],
  [403, '/v1/orders', suspended.keys.sandbox],
  [404, '/v1/nothing', organization.keys.sandbox],
];

const VERSIONS = [
  ['HTTP/1.1', 'X: y'],
  ['HTTP/1.1', 'Connection: close'],
  ['HTTP/1.0', 'X: y'],
] as const;

const head = (path: string, key: string, [version, header]: readonly [string, string]) =>
  [`POST ${path} ${version}`, 'Host: gifts.test', `Authorization: Bearer ${key}`, 'Idempotency-Key: early', header]
    .concat(`Content-Length: ${LENGTH}`, '', '')
    .join('\r\n');

/** Reads nothing before the kernel has taken every byte. */
async function writeFirst(bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).pause();
  let received = '';
  const errors: Error[] = [];
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    // Without `Connection: close` the connection stays open.
    if (received.includes('"request_id"')) socket.end();
  });
  socket.on('error', (error) => errors.push(error));
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(bytes, resolve));
  // The answer has long arrived, and a reset would destroy it.
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.resume();
  if (!socket.closed) await once(socket, 'close').catch(() => undefined);
  assert.deepEqual(errors, []);
  return received;
}

for (const version of VERSIONS)
  test(`a client that writes 12 MB first gets its answer, with ${version.join(' and ')}`, async () => {
    for (const [status, path, key] of cases()) {
      const bytes = Buffer.concat([Buffer.from(head(path, key, version)), Buffer.alloc(LENGTH, 'x')]);
      assert.match(await writeFirst(bytes), new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });

const PYTHON = `
import socket, sys
port, head, length = int(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3])
connection = socket.create_connection(("127.0.0.1", port))
connection.sendall(head + b"x" * length)
print(connection.recv(65536).split(b" ")[1].decode())
`;

test('Python’s sendall of 12 MB gets its answer', async (t) => {
  const { port } = new URL(service.url);
  const run = (args: string[]) => promisify(execFile)('python3', ['-c', PYTHON, ...args]);
  for (const version of VERSIONS)
    for (const [status, path, key] of cases()) {
      const answer = await run([port, head(path, key, version), String(LENGTH)]).catch((error) => {
        if (error.code !== 'ENOENT') throw error;
      });
      if (answer === undefined) return t.skip('There is no python3 on this machine.');
      assert.equal(answer.stdout, `${status}\n`, version.join());
    }
});

test('nothing that follows a dropped body is taken for a request', async () => {
  const before = (await organization.sandbox.get('/v1/orders')).body;
  using connection = await connectRaw(service.url);
  const body = JSON.stringify({ gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }] });
  const order = request(
    'POST /v1/orders',
    [`Authorization: Bearer ${organization.keys.sandbox}`, 'Idempotency-Key: hidden', `Content-Length: ${body.length}`],
    body,
  );
  const dropped = request(
    'POST /v1/nothing',
    ['Connection: close', `Content-Length: ${order.length}`],
    'y'.repeat(order.length),
  );
  await connection.write(dropped + order);
  assert.equal((await connection.answer()).status, 404);
  await connection.closed;
  assert.deepEqual((await organization.sandbox.get('/v1/orders')).body, before);
});

test('dropped bodies leave no listeners on their connection', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  using connection = await connectRaw(service.url);
  for (let sent = 0; sent < 11; sent += 1) {
    await connection.write(request('POST /v1/nothing', ['Content-Length: 10'], 'begin'));
    assert.equal((await connection.answer('POST')).status, 404);
    await connection.write('ended');
  }
  process.off('warning', note);
  assert.deepEqual(
    warnings.filter((name) => name === 'MaxListenersExceededWarning'),
    [],
  );
});
