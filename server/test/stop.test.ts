import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { linkGift } from './harness/api-client.ts';
import { connectRaw } from './harness/raw-http.ts';
import {
  type Ending,
  freePort,
  npmStart,
  processesOn,
  type RunningProcess,
  serve,
  temporaryDirectory,
  until,
} from './harness/server-process.ts';

// Issue 2, «Start»: Ctrl-C and SIGTERM (to npm, to its group, or to the server) stop it cleanly: requests under way are
// answered, then PostgreSQL is stopped, no process stays behind.

/** The messages of the log, which follows the panel on standard output; not what they warn of, which is the database's. */
const messagesOf = ({ stdout }: Ending): string[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{"level":30,'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

const orderHead = (key: string | undefined, idempotencyKey: string, length: number) =>
  [
    'POST /v1/orders HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: ${idempotencyKey}`,
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');

test('a stop answers the order whose body is still on its way, closes every connection and ends with 0', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir);
  const { address, sandboxKey } = await server.ready();
  const idle = await connectRaw(address);
  await idle.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.equal((await idle.answer()).status, 200);
  const silent = await connectRaw(address);
  const body = JSON.stringify({ gifts: [linkGift()] });
  const slow = await connectRaw(address);
  await slow.write(orderHead(sandboxKey, 'finished after the signal', body.length) + body.slice(0, 20));
  // Its connection had a request before, so the server has surely seen what came before it.
  const probe = await connectRaw(address);
  await probe.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await probe.answer();

  server.signal('SIGTERM');
  await Promise.all([idle.closed, silent.closed, probe.closed]);
  await until(
    () =>
      connectRaw(address).then(
        () => false,
        () => true,
      ),
    'no new connection is accepted',
  );
  assert.equal(server.child.exitCode, null);
  server.signal('SIGINT');
  await slow.write(body.slice(20));
  const answer = await slow.answer();
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('connection'), 'close');
  const answeredAtMs = performance.now();
  await slow.closed;
  const ending = await server.ended;
  // Not only after the limit for what does not end by itself.
  assert.ok(performance.now() - answeredAtMs < 3_000);
  assert.deepEqual([ending.code, ending.stderr, processesOn(dataDir)], [0, '', []]);
  // The order alone: whether the process lives is asked too often to be a line of the log each time.
  assert.deepEqual(messagesOf(ending), ['ready', 'stopping', 'request', 'stopped']);

  const next = serve(dataDir, { LOG_LEVEL: 'silent' });
  const { address: nextAddress } = await next.ready();
  const replay = await connectRaw(nextAddress);
  await replay.write(orderHead(sandboxKey, 'finished after the signal', body.length) + body);
  const replayed = await replay.answer();
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(replayed.body.order_id, answer.body.order_id);
  next.signal('SIGHUP');
  assert.deepEqual([(await next.ended).code, processesOn(dataDir)], [0, []]);
});

const npmStops: [name: string, signal: 'SIGTERM' | 'SIGINT', to: 'process' | 'group'][] = [
  ['SIGTERM to npm', 'SIGTERM', 'process'],
  ['SIGTERM to the group of npm', 'SIGTERM', 'group'],
  ['Ctrl-C, which is SIGINT to the group of npm,', 'SIGINT', 'group'],
];

test('npm start is stopped by SIGTERM to npm, SIGTERM to its group and Ctrl-C, and nothing stays behind', async (t) => {
  const dataDir = await temporaryDirectory(t);
  for (const [name, signal, to] of npmStops) {
    const npm = npmStart(dataDir);
    const { address } = await npm.ready();
    assert.equal((await fetch(`${address}/v1/health`)).status, 200);
    npm.signal(signal, to);
    const ending = await npm.ended;
    assert.deepEqual(messagesOf(ending).slice(-2), ['stopping', 'stopped'], name);
    await until(() => processesOn(dataDir).length === 0, `${name} leaves nothing`);
    assert.deepEqual([ending.code, ending.signal], [0, null], name);
  }
});

/** Signals a first start while initdb runs, and sees that the next start is the first one still. */
async function stopDuringSetUp(t: TestContext, act: (server: RunningProcess) => void): Promise<void> {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir);
  const isSettingUp = () =>
    existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('postgres.new-'));
  await until(isSettingUp, 'initdb runs');
  act(server);
  const ending = await server.ended;
  assert.deepEqual([ending.code, ending.stderr, processesOn(dataDir)], [0, '', []]);
  assert.deepEqual(messagesOf(ending), ['stopped']);
  assert.doesNotMatch(ending.stdout, /shown this once/);
  const next = serve(dataDir, { LOG_LEVEL: 'silent' });
  assert.ok((await next.ready()).sandboxKey);
  assert.equal(existsSync(join(dataDir, 'postgres')), true);
  next.signal('SIGTERM');
  assert.equal((await next.ended).code, 0);
}

test('SIGTERM in the middle of the first start stops it, and the keys are shown by the next', async (t) => {
  await stopDuringSetUp(t, (server) => server.signal('SIGTERM'));
});

test('Ctrl-C in the middle of the first start stops it without a complaint, and the keys are shown by the next', async (t) => {
  await stopDuringSetUp(t, (server) => server.signal('SIGINT', 'group'));
});

test('a reader of the log that goes away, as in «npm start | head», ends no service', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const port = await freePort();
  const server = serve(dataDir, { PORT: String(port) });
  server.child.stdout?.destroy();
  const order = async () => (await fetch(`http://localhost:${port}/v1/orders`, { method: 'POST' })).status;
  await until(
    () =>
      order().then(
        (status) => status === 401,
        () => false,
      ),
    'it answers',
  );
  server.signal('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.deepEqual([code, stderr, processesOn(dataDir)], [0, '', []]);
});
