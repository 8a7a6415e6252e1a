import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { processesOn } from '../../harness/end-processes.ts';
import { bestow, type Ending, npmStart, serve, temporaryDirectory } from '../../harness/server-process.ts';

// A start that cannot succeed prints one sentence and exits with 1.

const SECRET = 'a link secret of thirty-two characters';

/** Asserts one sentence on standard error, exit code 1, and nothing else. */
function assertRefused({ code, stdout, stderr }: Ending, pattern: RegExp): void {
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, stderr);
  assert.match(stderr, pattern);
  assert.match(stderr, /^[^\n]+\.\n$/);
}

test('a wrong setting gives one sentence and starts nothing', async (t) => {
  const dataDir = join(await temporaryDirectory(t), 'data');
  for (const [name, text] of [
    ['PORT', '99999'],
    ['LINK_SECRET', 'short'],
  ] as const)
    assertRefused(await serve(dataDir, { [name]: text }).ended, new RegExp(`^${name} must (?:be|hold) `));
  assert.ok(!existsSync(dataDir));
});

test('a wrong DATABASE_URL or DATA_DIR gives one sentence', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'file'), '');
  await mkdir(join(directory, 'older/postgres'), { recursive: true });
  await writeFile(join(directory, 'older/postgres/PG_VERSION'), '17\n');
  const nobodyThere = { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' };
  const refusals: [dataDir: string, variables: Record<string, string>, pattern: RegExp][] = [
    ['data', nobodyThere, /^LINK_SECRET must be set /],
    ['data', { ...nobodyThere, LINK_SECRET: SECRET }, /^The database of DATABASE_URL \(127\.0\.0\.1:1\/d\) cannot be /],
    ['file', {}, /^DATA_DIR \S+ cannot be used \(\w+\); name a directory /],
    ['older', {}, /holds data of PostgreSQL 17, but this Bestow brings PostgreSQL 18; /],
  ];
  for (const [name, variables, pattern] of refusals)
    assertRefused(await serve(join(directory, name), variables).ended, pattern);
});

test('a taken port or foreign host is refused; the next start shows the keys', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const holder = createServer().listen(0, '127.0.0.1');
  t.after(() => holder.close());
  await new Promise((resolve) => holder.once('listening', resolve));
  const address = holder.address();
  assert.ok(address && typeof address === 'object');
  const taken = String(address.port);
  assertRefused(
    await serve(dataDir, { PORT: taken }).ended,
    new RegExp(`^Port ${taken} on 127\\.0\\.0\\.1 is taken; stop the other program, or set PORT to another one\\.`),
  );
  assert.deepEqual(processesOn(dataDir), []);
  // From the range for documentation; and a reserved name.
  assertRefused(
    await serve(dataDir, { HOST: '192.0.2.1' }).ended,
    /^HOST 192\.0\.2\.1 is not an address of this machine/,
  );
  assertRefused(
    await serve(dataDir, { HOST: 'unknown.invalid' }).ended,
    /^HOST unknown\.invalid is not known; set it to /,
  );
  assert.deepEqual(processesOn(dataDir), []);

  const server = serve(dataDir);
  const panel = await server.ready();
  assert.ok(panel.sandboxKey && panel.liveKey);
  assert.equal((await fetch(`${panel.address}/v1/orders`)).status, 401);
});

test('a second server on the same DATA_DIR is refused', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const first = serve(dataDir);
  const { address } = await first.ready();
  const pattern = new RegExp(
    `^Another Bestow server \\(process ${first.child.pid}\\) is running on DATA_DIR ${dataDir};`,
  );
  assertRefused(await serve(dataDir).ended, pattern);
  const byNpm = await npmStart(dataDir).ended;
  assert.equal(byNpm.code, 1);
  assert.match(byNpm.stderr, new RegExp(pattern.source, 'm'));
  assert.doesNotMatch(byNpm.stderr + byNpm.stdout, /^ {4}at /m);
  assert.equal((await fetch(`${address}/v1/health`)).status, 200);
  // A command beside the server is allowed.
  assert.equal((await bestow(['org', 'list', '--json'], { DATA_DIR: dataDir }).ended).code, 0);
});
