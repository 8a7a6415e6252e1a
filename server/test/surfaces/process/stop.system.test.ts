import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApiClient, gift, linkGift } from '../../harness/api-client.ts';
import { processesOn } from '../../harness/end-processes.ts';
import { startMailServer } from '../../harness/mail-server.ts';
import { connectRaw } from '../../harness/raw-http.ts';
import {
  BESTOW,
  type Ending,
  freePort,
  fundLive,
  MACHINES_NODE,
  npmStart,
  type RunningProcess,
  run,
  serve,
  temporaryDirectory,
  until,
} from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

/** The messages of the log on standard output, without warnings of the database. */
const messagesOf = ({ stdout }: Ending): string[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{"level":30,'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

const HEALTH = 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n';

const orderHead = (key: string | undefined, idempotencyKey: string, length: number) =>
  [
    'POST /v1/orders HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: ${idempotencyKey}`,
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');

for (const PROCESSES of ['1', '2'])
  test(`a killed older Node takes the service on it along, with PROCESSES=${PROCESSES}`, async (t) => {
    const dataDir = await temporaryDirectory(t);
    const starter = run(MACHINES_NODE ?? 'node', [BESTOW, 'serve'], { DATA_DIR: dataDir, PORT: '0', PROCESSES });
    const { address } = await starter.ready();
    process.kill(starter.child.pid ?? 0, 'SIGKILL');
    await until(() => processesOn(dataDir).length === 0, 'ended');
    await assert.rejects(fetch(`${address}/v1/health`));
  });

test('a stop answers orders that are still arriving, closes connections, exits with 0', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir);
  const { address, sandboxKey } = await server.ready();
  const idle = await connectRaw(address);
  await idle.write(HEALTH);
  assert.equal((await idle.answer()).status, 200);
  const silent = await connectRaw(address);
  const body = JSON.stringify({ gifts: [linkGift()] });
  const slow = await connectRaw(address);
  await slow.write(orderHead(sandboxKey, 'finished after the signal', body.length) + body.slice(0, 20));
  // An earlier request on this connection shows that the server has read the bytes before.
  const probe = await connectRaw(address);
  await probe.write(HEALTH);
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
  await slow.closed;
  const ending = await server.ended;
  // The stop did not wait for the limit of requests that do not end.
  assert.doesNotMatch(ending.stdout, /were cut off/);
  assert.deepEqual([ending.code, ending.stderr, processesOn(dataDir)], [0, '', []]);
  // Only the order: successful health checks are not logged.
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

const mailTo = (email: string) => gift({ delivery: { method: 'email', email } });

test('a delayed stop finishes running jobs and leaves the others', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const mail = await startMailServer();
  t.after(() => mail.close());
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' };
  const server = serve(dataDir, settings);
  const { address, liveKey } = await server.ready();
  await fundLive(dataDir);
  let accept = () => {};
  const accepted = new Promise<void>((resolve) => {
    accept = resolve;
  });
  mail.answer(() => ({ after: accepted }));
  await createApiClient(address, liveKey).order([mailTo('ada@example.com')]);
  await until(() => mail.tried.length === 1, 'a message is under way');
  const body = JSON.stringify({ gifts: [mailTo('bob@example.com')] });
  const begin = async (name: string) => {
    const connection = await connectRaw(address);
    // In one piece, so that the answer to the first request shows that the head of the order is read.
    await connection.write(HEALTH + orderHead(liveKey, name, body.length) + body.slice(0, 20));
    assert.equal((await connection.answer()).status, 200);
    return connection;
  };
  await begin('never finished');
  const late = await begin('finished after the signal');

  server.signal('SIGTERM');
  await until(() => server.stdout().includes('"stopping"'), 'it stops');
  accept();
  await late.write(body.slice(20));
  assert.equal((await late.answer()).status, 201);
  const { code } = await server.ended;
  const recipients = () => mail.received.map(({ to }) => to.join());
  assert.deepEqual([code, recipients()], [0, ['ada@example.com']]);

  const next = serve(dataDir, settings);
  await next.ready();
  await until(() => mail.received.length > 1, 'the next process sends what was left');
  next.signal('SIGTERM');
  assert.equal((await next.ended).code, 0);
  assert.deepEqual(recipients(), ['ada@example.com', 'bob@example.com']);
});

test('slow clients are cut off after nine seconds, before the last log rows', async (t) => {
  const first = await startTestService();
  t.after(() => first.close());
  const { keys } = await first.organization();
  // The clock stands still, so nothing is written before the stop.
  const second = await first.second();
  const { url } = second;
  const body = JSON.stringify({ gifts: [linkGift()] });
  using held = await connectRaw(url);
  await held.write(orderHead(keys.live, 'never finished', body.length) + body.slice(0, 20));
  assert.equal((await createApiClient(url, keys.sandbox).get('/v1/orders')).status, 200);
  let isCut = false;
  void held.closed.then(() => {
    isCut = true;
  });
  const { server } = second.service.app;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stopped = second.close();
  while (server.listening) await nextTurn();
  t.mock.timers.tick(8_999);
  for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
  assert.equal(isCut, false);
  t.mock.timers.tick(1);
  t.mock.timers.reset();
  await held.closed;
  await stopped;
  const used = `select environment from api_keys where last_used_at is not null and environment = 'sandbox'`;
  assert.deepEqual(await first.sql(used), [{ environment: 'sandbox' }]);
  const logged = await first.sql(`select path from request_log where environment = 'sandbox'`);
  assert.deepEqual(logged, [{ path: '/v1/orders' }]);
});

test('a request on a connection accepted just before the stop is answered', async (t) => {
  const first = await startTestService();
  t.after(() => first.close());
  const second = await first.second();
  const { server } = second.service.app;
  const accepted = once(server, 'connection');
  using connection = await connectRaw(second.url);
  await accepted;
  const stopped = second.close();
  while (server.listening) await nextTurn();
  await connection.write(HEALTH);
  // The process is blocked for longer than it keeps reading.
  for (const endMs = performance.now() + 200; performance.now() < endMs; );
  const { status, headers } = await connection.answer();
  assert.deepEqual([status, headers.get('connection')], [200, 'close']);
  await connection.closed;
  await stopped;
});

const npmStops: [name: string, signal: 'SIGTERM' | 'SIGINT', to: 'process' | 'group'][] = [
  ['SIGTERM to npm', 'SIGTERM', 'process'],
  ['SIGTERM to the group of npm', 'SIGTERM', 'group'],
  ['Ctrl-C, which is SIGINT to the group of npm,', 'SIGINT', 'group'],
];

test('SIGTERM to npm, SIGTERM to its group and Ctrl-C stop npm start cleanly', async (t) => {
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

/** Signals a first start during initdb and checks that the next start is still the first. */
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
  assert.doesNotMatch(ending.stdout, /key, |Bestow is ready/);
  const next = serve(dataDir, { LOG_LEVEL: 'silent' });
  assert.ok((await next.ready()).sandboxKey);
  assert.equal(existsSync(join(dataDir, 'postgres')), true);
  next.signal('SIGTERM');
  assert.equal((await next.ended).code, 0);
}

test('SIGTERM during the first start: the next start shows the keys', async (t) => {
  await stopDuringSetUp(t, (server) => server.signal('SIGTERM'));
});

test('Ctrl-C during the first start prints no error; the next start shows the keys', async (t) => {
  await stopDuringSetUp(t, (server) => server.signal('SIGINT', 'group'));
});

test('the service survives a log reader that leaves (npm start | head)', async (t) => {
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
