import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startBestow } from '../../../testing.js';
import { createApiClient, linkGift } from '../../harness/api-client.ts';
import { processesOn } from '../../harness/end-processes.ts';
import {
  bestow,
  HUNG_AFTER_MS,
  MACHINES_NODE,
  type RunningProcess,
  run,
  temporaryDirectory,
  until,
} from '../../harness/server-process.ts';

// `bestow serve --ephemeral` and `startBestow()` as real processes, ended in every way.

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const BESTOW = join(root, 'server/bin/bestow.js');
const ARGS = ['serve', '--ephemeral', '--port', '0', '--json'];

interface StartLine {
  base_url: string;
  sandbox_key: string;
  live_key: string;
  outbox_url: string;
}

/** The line that the server prints when it is ready. */
async function lineOf(server: RunningProcess): Promise<StartLine> {
  await until(() => {
    assert.ok(server.child.exitCode === null && server.child.signalCode === null, 'It ended before it was ready.');
    return server.stdout().includes('\n');
  }, 'one line');
  return JSON.parse(server.stdout());
}

/** Holds the temporary directories of one test. */
async function start(t: TestContext, variables: Record<string, string> = {}) {
  let server: RunningProcess | undefined;
  // Before its directory is removed, or it would start PostgreSQL again.
  t.after(() => server?.child.kill('SIGKILL'));
  const directory = await temporaryDirectory(t);
  server = bestow(ARGS, { TMPDIR: directory, ...variables });
  return { directory, server, line: await lineOf(server) };
}

/** Processes whose command line names the directory, such as the guard. */
const namesIn = (directory: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory);
    } catch {
      return false;
    }
  });

const untilNothingIsLeft = (directory: string) =>
  until(
    () => readdirSync(directory).length === 0 && processesOn(directory).length === 0 && namesIn(directory).length === 0,
    'nothing left',
  );

async function place({ base_url }: StartLine, key: string): Promise<number> {
  return (await createApiClient(base_url, key).order([linkGift()])).status;
}

/** Settings for a real database, mail server or address. */
const REAL = {
  DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none',
  DATA_DIR: '/nonexistent',
  PUBLIC_URL: 'https://gifts.example.com',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'gifts@example.com',
  METRICS_PORT: '1',
  NODE_ENV: 'production',
};

for (const [signal, variables] of [
  ['SIGTERM', {}],
  ['SIGINT', REAL],
] as const)
  test(`prints one line of JSON, serves both environments, leaves nothing at ${signal}`, async (t) => {
    const { directory, server, line } = await start(t, variables);
    assert.deepEqual(Object.keys(line), ['base_url', 'sandbox_key', 'live_key', 'outbox_url', 'control_url']);
    assert.match(line.base_url, /^http:\/\/localhost:[1-9]\d+$/);
    assert.match(line.sandbox_key, /^bestow-sandbox-[0-9A-Za-z]{50}$/);
    assert.match(line.live_key, /^bestow-[0-9A-Za-z]{50}$/);
    assert.equal(await place(line, line.sandbox_key), 201);
    const { body } = await createApiClient(line.base_url, line.live_key).order([linkGift()]);
    assert.ok(body.gifts[0].delivery.link.startsWith(`${line.base_url}/g/`));
    assert.match(await (await fetch(line.outbox_url)).text(), /<h1>Outbox<\/h1>/);
    assert.equal(readdirSync(directory).length, 1);
    server.signal(signal);
    const { code, stdout, stderr } = await server.ended;
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `${JSON.stringify(line)}\n`, stderr: '' });
    assert.deepEqual(readdirSync(directory), []);
    await untilNothingIsLeft(directory);
  });

test('after SIGKILL neither PostgreSQL nor the directory remains', async (t) => {
  const { directory, server } = await start(t);
  assert.ok(processesOn(directory).length > 0);
  server.signal('SIGKILL', 'group');
  await untilNothingIsLeft(directory);
});

test('a stop during the start leaves nothing', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const server = bestow(ARGS, { TMPDIR: directory });
    await until(() => readdirSync(directory).length > 0, 'begun');
    server.signal(signal);
    await server.ended;
    await untilNothingIsLeft(directory);
  }
});

for (const [name, node] of [
  ['Node 26', process.execPath],
  ['the machine’s own Node', MACHINES_NODE ?? 'node'],
  ['the command that npm links', ''],
] as const)
  test(`started by ${name}, it ends with its parent, even a killed one`, async (t) => {
    const directory = await temporaryDirectory(t);
    const command = node === '' ? `'${join(root, 'node_modules/.bin/bestow')}'` : `'${node}' '${BESTOW}'`;
    // `wait` keeps the shell; without it the shell would become the server.
    const parent = run('sh', ['-c', `${command} ${ARGS.join(' ')} & wait`], { TMPDIR: directory });
    const line = await lineOf(parent);
    assert.equal(await place(line, line.sandbox_key), 201);
    parent.signal('SIGKILL');
    await untilNothingIsLeft(directory);
  });

for (const [name, command] of [
  ['Node 26', `'${process.execPath}' '${BESTOW}'`],
  ['the machine’s own Node', `'${MACHINES_NODE ?? 'node'}' '${BESTOW}'`],
  ['the command that npm links', `'${join(root, 'node_modules/.bin/bestow')}'`],
] as const)
  test(`started by ${name}, it ends if its parent was already gone`, async (t) => {
    const directory = await temporaryDirectory(t);
    // Prints its process id and is gone at once.
    const parent = run('sh', ['-c', `${command} ${ARGS.join(' ')} >/dev/null 2>&1 & echo $!`], { TMPDIR: directory });
    const { stdout } = await parent.ended;
    const pid = stdout.trim();
    t.after(() => existsSync(`/proc/${pid}`) && process.kill(Number(pid), 'SIGKILL'));
    await until(() => !existsSync(`/proc/${pid}`), 'ended');
    await untilNothingIsLeft(directory);
  });

test('startBestow() starts a separate service, and stop() removes it', async (t) => {
  const directory = await temporaryDirectory(t);
  const options = { settings: { TMPDIR: directory }, startWithinMs: HUNG_AFTER_MS };
  const [one, two] = await Promise.all([startBestow(options), startBestow(options)]);
  assert.notEqual(one.sandboxKey, two.sandboxKey);
  const statuses = [one, two].map(async ({ sandboxKey }) => {
    const { status } = await createApiClient(one.baseUrl, sandboxKey).order([linkGift()]);
    return status;
  });
  assert.deepEqual(await Promise.all(statuses), [201, 401]);
  await two[Symbol.asyncDispose]();
  await one.stop();
  await one.stop();
  assert.deepEqual(readdirSync(directory), []);
  await untilNothingIsLeft(directory);
});

test('startBestow() reports why it could not start', async (t) => {
  const directory = await temporaryDirectory(t);
  await assert.rejects(startBestow({ settings: { TMPDIR: directory, ORDER_BATCH: 'many' } }), {
    message: 'Bestow did not start: ORDER_BATCH must be a whole number from 1 to 1000, but is "many".',
  });
  await assert.rejects(startBestow({ settings: { TMPDIR: directory }, startWithinMs: 1 }), {
    message: 'Bestow did not start: it was not ready within 1 ms',
  });
  await untilNothingIsLeft(directory);
});

test('another project can import bestow/testing; the service ends with the suite', async (t) => {
  const project = await temporaryDirectory(t);
  const directory = await temporaryDirectory(t);
  // As `npm link` does.
  await mkdir(join(project, 'node_modules'));
  await symlink(join(root, 'server'), join(project, 'node_modules/bestow'));
  const suite = join(project, 'suite.mjs');
  await writeFile(
    suite,
    `import { startBestow } from 'bestow/testing';
     const { baseUrl, sandboxKey } = await startBestow({ startWithinMs: ${HUNG_AFTER_MS} });
     const answer = await fetch(baseUrl + '/v1/orders', { headers: { Authorization: 'Bearer ' + sandboxKey } });
     console.log(answer.status);`,
  );
  for (const node of [process.execPath, MACHINES_NODE ?? 'node']) {
    const { code, stdout, stderr } = await run(node, [suite], { TMPDIR: directory }).ended;
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '200\n', stderr: '' });
    await untilNothingIsLeft(directory);
  }
});
