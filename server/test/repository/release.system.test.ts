import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bestow } from '../../../sdk/src/index.ts';
import { makeRepository } from '../harness/make-repository.ts';
import { run, stopChild, temporaryDirectory, until } from '../harness/server-process.ts';

/** What `scripts/release.js` builds, from a clean clone to a service that serves. */

const succeed = async (command: string, args: string[]) => {
  const { code, stdout, stderr } = await run(command, args, {}).ended;
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
};

test('the archive of a release has the right checksum, installs and serves, also for a test suite', async (t) => {
  const directory = await temporaryDirectory(t);
  const [source, built, unpacked] = ['source', 'built', 'unpacked'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  makeRepository(source);
  await succeed('node', [join(source, 'scripts/release.js'), built]);
  const { status } = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: built });
  assert.equal(status, 0);
  const archive = readdirSync(built).find((name) => name.endsWith('.tar.gz')) ?? assert.fail('no archive');
  mkdirSync(unpacked);
  await succeed('tar', ['-xzf', join(built, archive), '-C', unpacked, '--strip-components=1']);
  assert.ok(!readdirSync(unpacked).some((name) => ['node_modules', '.git', 'data'].includes(name)));
  await succeed('npm', ['--prefix', unpacked, 'run', 'setup']);
  // The portal is built, so neither its builder nor its packages are needed.
  for (const name of ['vite', 'radix-ui']) assert.ok(!existsSync(join(unpacked, 'node_modules', name)), name);
  const program = join(unpacked, 'server/bin/bestow.js');
  assert.match(await succeed(program, ['--version']), /^\d+\.\d+\.\d+\n$/);
  const service = run(program, ['serve'], { DATA_DIR: join(directory, 'data'), PORT: '0' });
  const { address } = await service.ready();
  const { status: portal } = await fetch(`${address}/portal`);
  assert.equal(portal, 200);
  await stopChild(service.child, 'SIGTERM');
  const suite = run(program, ['serve', '--ephemeral', '--port', '0', '--json'], {});
  await until(() => suite.stdout().includes('\n'), 'the line of JSON');
  const started = JSON.parse(suite.stdout());
  const { gifts } = await new Bestow(started.sandbox_key, { baseUrl: started.base_url }).orders.create({
    gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }],
  });
  assert.equal(gifts[0]?.delivery.status, 'sent');
  await stopChild(suite.child, 'SIGTERM');
});

test('a release is not built over another one', async (t) => {
  const directory = await temporaryDirectory(t);
  cpSync(import.meta.filename, join(directory, 'earlier'));
  const { code, stderr } = await run('node', ['scripts/release.js', directory], {}).ended;
  assert.equal(code, 1);
  assert.match(stderr, /is not empty; give each release a new directory\./);
});
