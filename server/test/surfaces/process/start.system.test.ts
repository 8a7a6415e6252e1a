import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { createApiClient, gift, linkGift } from '../../harness/api-client.ts';
import { processesOn } from '../../harness/end-processes.ts';
import {
  BESTOW,
  bestow,
  freePort,
  type Panel,
  type RunningProcess,
  run,
  serve,
  temporaryDirectory,
  until,
} from '../../harness/server-process.ts';

const api = ({ address, sandboxKey }: Pick<Panel, 'address' | 'sandboxKey'>) => createApiClient(address, sandboxKey);

/** Ends the server with Ctrl-C and checks that nothing remains. */
async function stop(server: RunningProcess, dataDir: string): Promise<void> {
  server.signal('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.deepEqual({ code, stderr, left: processesOn(dataDir) }, { code: 0, stderr: '', left: [] });
}

/** Runs a command of the panel in a shell, with the answer's headers. */
async function paste(curl: string | undefined): Promise<{ status: number; headers: string; body: unknown }> {
  const { code, stdout, stderr } = await run('bash', ['-c', `${curl} -i`], {}).ended;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const [headers = '', body = ''] = stdout.split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers: headers.toLowerCase(), body: JSON.parse(body) };
}

/** The panel of a first start, with its keys and port. */
const panelOf = ({ address }: Panel, dataDir: string, [liveFile, sandboxFile]: string[]) => `
Bestow is ready.

  Addresses
    API                       ${address}/v1
    Portal                    ${address}/portal
    Documentation             ${address}/docs
    Outbox                    ${BESTOW} outbox url prints its address

  Service
    Data                      embedded PostgreSQL 18.4 in ${dataDir}
    Environments              live, sandbox
    Test address that fails   delivery-failed@sandbox.gift.test

  Demo Organization
    Sign in as                admin@demo.test (the code is in the outbox)
    Sandbox key, in the file  ${sandboxFile}
    Live key, in the file     ${liveFile}

  Paste this to place your first order. Pasting it again charges nothing twice:

export KEY="$(cat '${sandboxFile}')"
curl -s -w '\\n' '${address}/v1/orders' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Idempotency-Key: my-first-order' \\
  -H 'Content-Type: application/json' \\
  -d '{"gifts":[{"amount":2500,"category":"coffee","delivery":{"method":"email","email":"delivered@sandbox.gift.test"},"personalization":{"recipient_name":"Ada"}},{"amount":5000,"category":"books","delivery":{"method":"link"}}]}'

Stop it with Ctrl-C.

`;

test('the first start shows keys and a working curl; the second keeps the data', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const first = serve(dataDir, { LOG_LEVEL: 'silent' });
  const panel = await first.ready();
  const files = ['live', 'sandbox'].flatMap((name) => globSync(join(dataDir, `demo-${name}-key-*`)));
  // What a start as root changed is another test's: it differs with who may read the checkout.
  assert.equal(panel.text.replaceAll(/^ +Started as root .*\n/gm, ''), panelOf(panel, dataDir, files));
  assert.deepEqual(
    files.map((file) => statSync(file).mode & 0o777),
    [0o600, 0o600],
  );
  assert.doesNotMatch(first.stdout(), /bestow-(?:sandbox-)?[0-9A-Za-z]{50}/);
  assert.match(panel.address, /^http:\/\/localhost:[1-9]\d+$/);
  assert.match(panel.sandboxKey ?? '', /^bestow-sandbox-[0-9A-Za-z]{50}$/);
  assert.match(panel.liveKey ?? '', /^bestow-[0-9A-Za-z]{50}$/);

  const placed = await paste(panel.curl);
  assert.equal(placed.status, 201);
  assert.doesNotMatch(placed.headers, /idempotent-replayed/);
  const { order_id, status } = placed.body as { order_id: string; status: string };
  assert.match(order_id, /^ord_/);
  assert.equal(status, 'processed');
  const replayed = await paste(panel.curl);
  assert.equal(replayed.status, 200);
  assert.match(replayed.headers, /^idempotent-replayed: true\r?$/m);
  assert.deepEqual(replayed.body, placed.body);
  const failing = await api(panel).order([
    gift({ delivery: { method: 'email', email: 'delivery-failed@sandbox.gift.test' } }),
  ]);
  assert.equal(failing.body.gifts[0].delivery.status, 'failed');
  const unfunded = await createApiClient(panel.address, panel.liveKey).order([linkGift()]);
  assert.deepEqual([unfunded.status, unfunded.body.error.code], [402, 'insufficient_balance']);
  const balances = await bestow(['balance', 'show', '--org', await onlyOrganization(dataDir), '--json'], {
    DATA_DIR: dataDir,
  }).ended;
  // The seeded amounts, minus the two orders above.
  assert.deepEqual(
    (JSON.parse(balances.stdout) as { environment: string; balance: number }[])
      .map(({ environment, balance }) => [environment, balance])
      .sort(),
    [
      ['live', 0],
      ['sandbox', 100_000_000 - 7_500 - 2_500],
    ],
  );
  await stop(first, dataDir);

  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const second = serve(dataDir, { PORT: String(port), LOG_LEVEL: 'silent' });
  const isHealthy = () =>
    fetch(`${address}/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isHealthy, 'healthy');
  const again = await second.ready();
  assert.deepEqual([again.sandboxKey, again.liveKey, again.curl], [undefined, undefined, undefined]);
  assert.match(again.text, /^ {4}Sign in as +admin@demo\.test \(the code is in the outbox\)$/m);
  assert.doesNotMatch(again.text, /bestow-(?:sandbox-)?[0-9A-Za-z]{50}|key, |Organization/);
  const kept = await api({ address, sandboxKey: panel.sandboxKey }).get(`/v1/orders/${order_id}`);
  assert.equal(kept.status, 200);
  await stop(second, dataDir);
});

/** The identifier that initdb gave to the only database below a directory: pg_control begins with it. */
function databaseIdentifier(directory: string): string {
  const [file = ''] = globSync('*/postgres/global/pg_control', { cwd: directory });
  return readFileSync(join(directory, file)).readBigUInt64LE().toString();
}

test('serve --ephemeral copies one template instead of running initdb each time', async (t) => {
  const directory = await temporaryDirectory(t);
  const identifiers: string[] = [];
  for (const _ of ['first', 'second']) {
    const server = bestow(['serve', '--ephemeral', '--port', '0', '--json'], { TMPDIR: directory });
    await until(() => server.stdout().includes('\n'), 'ready');
    assert.equal((await fetch(`${JSON.parse(server.stdout()).base_url}/v1/health`)).status, 200);
    identifiers.push(databaseIdentifier(directory));
    server.signal('SIGTERM');
    assert.equal((await server.ended).code, 0);
  }
  assert.equal(identifiers[0], identifiers[1]);
});

async function onlyOrganization(dataDir: string): Promise<string> {
  const { stdout } = await bestow(['org', 'list', '--json'], { DATA_DIR: dataDir }).ended;
  const organizations = JSON.parse(stdout) as { organization_id: string }[];
  assert.equal(organizations.length, 1, stdout);
  return organizations[0]?.organization_id ?? '';
}

test('DEMO=0 seeds nothing: no organization, no category, no key', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir, { DEMO: '0', LOG_LEVEL: 'silent' });
  const panel = await server.ready();
  assert.doesNotMatch(panel.text, /key, |Demo|curl/);
  for (const list of ['org', 'catalog'])
    assert.equal((await bestow([list, 'list', '--json'], { DATA_DIR: dataDir }).ended).stdout, '[]\n');
  await stop(server, dataDir);
});

test('the panel shows an address that can be opened', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const speaksIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
  const hosts: [host: string, pattern: RegExp][] = [
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    ...(speaksIpv6 ? [['::1', /^http:\/\/\[::1\]:\d+$/] as [string, RegExp]] : []),
  ];
  for (const [host, pattern] of hosts) {
    const server = serve(dataDir, { HOST: host, LOG_LEVEL: 'silent' });
    const { address } = await server.ready();
    assert.match(address, pattern);
    assert.equal((await fetch(`${address}/v1/health`)).status, 200);
    await stop(server, dataDir);
  }
});

const SECRET = 'a link secret that two processes share';

/** Opens an embedded PostgreSQL and returns the URL of a database in it. */
async function startOwner(t: TestContext) {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir, { LOG_LEVEL: 'silent', LINK_SECRET: SECRET });
  const panel = await server.ready();
  const socket = encodeURIComponent(join(dataDir, 'postgres'));
  return { dataDir, server, panel, urlOf: (database: string) => `postgres://bestow@${socket}/${database}` };
}

test('two processes on one DATABASE_URL are one service; DEMO=1 seeds', async (t) => {
  const { dataDir, server, panel, urlOf } = await startOwner(t);
  const elsewhere = await temporaryDirectory(t);
  const variables = { DATABASE_URL: urlOf('bestow'), LINK_SECRET: SECRET, LOG_LEVEL: 'silent' };

  const second = serve(elsewhere, variables);
  const secondPanel = await second.ready();
  assert.match(secondPanel.text, /^ {4}Data +PostgreSQL 18\.4 at .*:5432\/bestow$/m);
  assert.equal(secondPanel.sandboxKey, undefined);
  const throughSecond = api({ address: secondPanel.address, sandboxKey: panel.sandboxKey });
  const { body: order, status } = await throughSecond.order([linkGift()], 'shared');
  assert.equal(status, 201);
  const replay = await api(panel).order([linkGift()], 'shared');
  assert.deepEqual([replay.status, replay.body.order_id], [200, order.order_id]);
  // Signed by one process, opened at the other.
  const { pathname } = new URL(order.gifts[0].delivery.link);
  assert.equal((await fetch(panel.address + pathname)).status, 200);
  await stop(second, elsewhere);

  const admin = new Client(urlOf('postgres'));
  await admin.connect();
  await admin.query('create database empty');
  await admin.end();
  for (const [demo, seeded] of [
    [{}, false],
    [{ DEMO: '1' }, true],
  ] as const) {
    const third = serve(elsewhere, { ...variables, DATABASE_URL: urlOf('empty'), ...demo });
    assert.equal((await third.ready()).sandboxKey !== undefined, seeded);
    await stop(third, elsewhere);
  }
  await stop(server, dataDir);
});
