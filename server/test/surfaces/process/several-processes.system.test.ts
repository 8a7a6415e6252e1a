import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { createApiClient, linkGift, listOrderIds } from '../../harness/api-client.ts';
import { processesOn } from '../../harness/end-processes.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { connectRaw, type RawConnection } from '../../harness/raw-http.ts';
import {
  bestow,
  childrenOf,
  HUNG_AFTER_MS,
  type Panel,
  serve,
  temporaryDirectory,
  until,
} from '../../harness/server-process.ts';

const TWO = { PROCESSES: '2' };
const dataDir = await temporaryDirectory({ after });
let keys: Pick<Panel, 'sandboxKey'> | undefined;

/** The first start makes the database and shows the keys. */
async function start(t: TestContext, variables: Record<string, string> = {}) {
  const server = serve(dataDir, { ...TWO, ...variables });
  t.after(() => server.child.kill('SIGKILL'));
  const panel = await server.ready();
  assert.equal(panel.sandboxKey === undefined, keys !== undefined, 'The keys are shown once.');
  keys ??= { sandboxKey: panel.sandboxKey };
  return { server, panel: { ...panel, ...keys } };
}

interface LogLine {
  pid: number;
  msg: string;
}

/** Fails if a line of one process is broken by another's. */
const logOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line) as LogLine);

const pidsOf = (output: string, message: string) =>
  new Set(logOf(output).flatMap(({ pid, msg }) => (msg === message ? [pid] : [])));

const orderHead = (key: string | undefined, name: string, length: number) =>
  `POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${name}\r\nContent-Length: ${length}\r\n\r\n`;

/** Connections are dealt out in turn. */
async function beginOrders({ address, sandboxKey }: Panel, body: string): Promise<RawConnection[]> {
  const connections = [await connectRaw(address), await connectRaw(address)];
  for (const connection of connections) {
    // The answer shows that a process has the connection.
    await connection.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.equal((await connection.answer()).status, 200);
    await connection.write(orderHead(sandboxKey, randomUUID(), body.length) + body.slice(0, 10));
  }
  return connections;
}

for (const [signal, to] of [
  ['SIGTERM', 'process'],
  ['SIGINT', 'group'],
] as const)
  test(`two processes answer on one port, and finish requests after ${signal}`, async (t) => {
    const { server, panel } = await start(t);
    assert.match(panel.text, /^ {4}Processes +2$/m);
    const body = JSON.stringify({ gifts: [linkGift()] });
    const slow = await beginOrders(panel, body);
    const children = childrenOf(server);
    server.signal(signal, to);
    await until(() => pidsOf(server.stdout(), 'stopping').size === 3, 'all stop');
    // One after the other, because both are of one balance.
    for (const connection of slow) {
      await connection.write(body.slice(10));
      assert.equal((await connection.answer()).status, 201);
    }
    const { code, stdout, stderr } = await server.ended;
    assert.deepEqual([code, stderr, processesOn(dataDir)], [0, '', []]);
    assert.deepEqual([...pidsOf(stdout, 'request')].sort(), children.sort());
  });

test('metrics are the sum of the processes, on one port', async (t) => {
  const { panel } = await start(t, { METRICS_PORT: '0', LOG_LEVEL: 'silent' });
  const body = JSON.stringify({ gifts: [linkGift()] });
  for (const connection of await beginOrders(panel, body)) {
    await connection.write(body.slice(10));
    assert.equal((await connection.answer()).status, 201);
    connection.hangUp();
  }
  const address = /^ {4}Metrics +(\S+)$/m.exec(panel.text)?.[1] ?? assert.fail(panel.text);
  const samples = await scrape(address);
  assert.equal(samples['bestow_orders_total{outcome="placed"}'], 2);
  assert.equal(samples['bestow_database_connections{pool="placement",state="idle"}'], 2);
  assert.equal(samples['bestow_database_up'], 1);
  assert.equal(samples['bestow_balances_unexplained'], 0);
});

test('a process that stands still does not blind the metrics, and is replaced', async (t) => {
  const { server, panel } = await start(t, { METRICS_PORT: '0' });
  const address = /^ {4}Metrics +(\S+)$/m.exec(panel.text)?.[1] ?? assert.fail(panel.text);
  await placeSurely(panel, 'before it stands still');
  const ofOne = await scrape(address);
  const [frozen = assert.fail()] = childrenOf(server);
  process.kill(frozen, 'SIGSTOP');
  t.after(() => childrenOf(server).includes(frozen) && process.kill(frozen, 'SIGKILL'));
  const samples = await scrape(address);
  const name = 'bestow_database_connections{pool="placement",state="waiting"}';
  assert.deepEqual([ofOne[name], samples[name], samples['bestow_database_up']], [0, 0, 1]);
  assert.ok((samples['process_resident_memory_bytes'] ?? 0) < (ofOne['process_resident_memory_bytes'] ?? 0));
  await until(() => server.stdout().includes('Another one is started.'), 'it is replaced');
  assert.match(server.stdout(), new RegExp(`Process ${frozen} stands still and is ended`));
  await until(() => childrenOf(server).length === 2, 'two processes');
  await until(async () => (await scrape(address))[name] === 0, 'both answer');
});

const CLIENTS = 20;
const ORDERS_EACH = 10;

/** Sends an order until it is known, as the SDK does. */
async function placeSurely({ address, sandboxKey }: Panel, name: string): Promise<string> {
  for (;;) {
    const hung = AbortSignal.timeout(HUNG_AFTER_MS);
    const response = await fetch(`${address}/v1/orders`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandboxKey}`, 'Idempotency-Key': name },
      body: JSON.stringify({ gifts: [linkGift()] }),
      signal: hung,
    }).catch(() => undefined);
    // Undefined if the process was killed.
    const text = await response?.text().catch(() => undefined);
    assert.ok(!hung.aborted, `The service hung: it did not answer order ${name}.`);
    if (text === undefined) continue;
    const { order_id, error } = JSON.parse(text);
    if (order_id !== undefined) return order_id;
    // Orders of one balance meet.
    assert.equal(error.code, 'resource_locked');
  }
}

const orderIdsOf = ({ address, sandboxKey }: Panel) => listOrderIds(createApiClient(address, sandboxKey));

test('kill -9 of a process under load loses nothing, doubles nothing, and is replaced', async (t) => {
  const { server, panel } = await start(t);
  const before = await orderIdsOf(panel);
  const known: string[] = [];
  const client = async (number: number) => {
    for (let n = 0; n < ORDERS_EACH; n += 1) known.push(await placeSurely(panel, `${number}-${n}`));
  };
  const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  const killed: number[] = [];
  for (const share of [0.2, 0.6]) {
    await until(() => known.length >= share * CLIENTS * ORDERS_EACH, 'orders are under way');
    const [pid = assert.fail('no process')] = childrenOf(server).filter((child) => !killed.includes(child));
    process.kill(pid, 'SIGKILL');
    killed.push(pid);
    const isWhole = () => childrenOf(server).filter((child) => !killed.includes(child)).length === 2;
    await until(isWhole, 'another one replaces it');
  }
  await load;
  const listed = await orderIdsOf(panel);
  assert.deepEqual(listed.sort(), [...before, ...known].sort());
  assert.equal(new Set(known).size, CLIENTS * ORDERS_EACH);
  const verified = await bestow(['ledger', 'verify', '--json'], { DATA_DIR: dataDir }).ended;
  assert.deepEqual([verified.code, verified.stderr], [0, ''], verified.stdout);
  server.signal('SIGTERM');
  const { code, stdout } = await server.ended;
  assert.deepEqual([code, processesOn(dataDir)], [0, []]);
  const reasons = logOf(stdout).map(({ msg }) => msg);
  for (const pid of killed) assert.ok(reasons.includes(`Process ${pid} ended with SIGKILL. Another one is started.`));
});

test('a connection that a killed process did not take is closed', async (t) => {
  const { server, panel } = await start(t, { LOG_LEVEL: 'silent' });
  const [frozen = assert.fail('no process')] = childrenOf(server);
  process.kill(frozen, 'SIGSTOP');
  // One for each process.
  const clients = [1, 2].map(() => {
    const client = { isAnswered: false, isClosed: false };
    const socket = connect(Number(new URL(panel.address).port), '127.0.0.1', () =>
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    );
    socket.on('data', () => Object.assign(client, { isAnswered: true }));
    socket.on('error', () => undefined).on('close', () => Object.assign(client, { isClosed: true }));
    t.after(() => socket.destroy());
    return client;
  });
  await until(() => clients.some(({ isAnswered }) => isAnswered), 'one is answered');
  process.kill(frozen, 'SIGKILL');
  await until(() => clients.some(({ isAnswered, isClosed }) => isClosed && !isAnswered), 'the other is closed');
});

test('kill -9 of the first process ends the others; the next start has all orders', async (t) => {
  const { server, panel } = await start(t, { LOG_LEVEL: 'silent' });
  const id = await placeSurely(panel, 'before');
  const children = childrenOf(server);
  assert.equal(children.length, 2);
  server.signal('SIGKILL');
  await until(() => !processesOn(dataDir).some((pid) => children.includes(pid)), 'all have ended');
  const next = await start(t, { LOG_LEVEL: 'silent' });
  assert.ok((await orderIdsOf(next.panel)).includes(id));
  next.server.signal('SIGTERM');
  assert.equal((await next.server.ended).code, 0);
});

/** Runs in every process but the first, before anything else. */
const inOthers = (act: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,if(process.send){${act}}` });

const brokenStarts: [name: string, variables: Record<string, string>, sentence: RegExp][] = [
  ['all die', inOthers('process.exit(7)'), /^Process \d+ ended with code 7\.\n$/],
  ['all refuse', inOthers(`process.env.DATA_DIR='/nonexistent'`), /^DATA_DIR \/nonexistent .*\.\n$/],
];

for (const [name, variables, sentence] of brokenStarts)
  test(`if ${name} at the start, the service ends with one sentence`, async () => {
    const { code, stderr } = await serve(dataDir, { ...TWO, ...variables }).ended;
    assert.match(stderr, sentence);
    assert.deepEqual([code, processesOn(dataDir)], [1, []]);
  });

test('a port that is taken is one sentence for all processes', async (t) => {
  const { panel } = await start(t, { LOG_LEVEL: 'silent' });
  const { port } = new URL(panel.address);
  const DATABASE_URL = `postgres://bestow@${encodeURIComponent(join(dataDir, 'postgres'))}/bestow`;
  const elsewhere = await temporaryDirectory(t);
  const LINK_SECRET = readFileSync(join(dataDir, 'link-secret'), 'utf8').trim();
  const variables = { ...TWO, PORT: port, DATABASE_URL, LINK_SECRET };
  const { code, stderr } = await serve(elsewhere, variables).ended;
  assert.match(stderr, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken; [^\n]+\n$`));
  assert.deepEqual([code, processesOn(elsewhere)], [1, []]);
});
