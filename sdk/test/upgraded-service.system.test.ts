import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { clientRoutes } from '../../server/src/capabilities/docs/client-routes.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { go, missingGo } from './go-command.ts';
import { execute } from './installed-package.ts';
import { findPythons, NO_PYTHON } from './python-environment.ts';
import { testWhere } from './test-where.ts';

// Clean builds of customers, whose operator upgraded the service after their lockfiles were written.

const BUILT = fileURLToPath(new URL('../../portal/dist/sdk/', import.meta.url));
const GO = 'go/bestow.example/bestow/@v';
const LATER = '99.0.0';

let service: TestService;
let app: FastifyInstance;
let folder: string;
let address: string;
let names: string[];

before(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'bestow-upgraded-'));
  address = await serve(BUILT);
  const sums = await read('/sdk/SHA256SUMS');
  names = sums
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  ')[1] ?? '');
});
after(async () => {
  await app.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves a release's packages, at the same port as the one before. */
async function serve(release: string): Promise<string> {
  const port = app === undefined ? 0 : Number(new URL(address).port);
  await app?.close();
  app = Fastify({ forceCloseConnections: true });
  clientRoutes(app, service.service.deps, release);
  return await app.listen({ host: '127.0.0.1', port });
}

/** Serves a later release, which has none of the packages of this one, until the act is done. */
async function afterUpgrade(act: () => Promise<void>): Promise<void> {
  const release = await mkdtemp(join(folder, 'release-'));
  for (const name of [
    `bestow-sdk-${LATER}.tgz`,
    `bestow_sdk-${LATER}-py3-none-any.whl`,
    `${GO}/v${LATER}.zip`,
    `${GO}/list`,
    'SHA256SUMS',
  ]) {
    await mkdir(dirname(join(release, name)), { recursive: true });
    await writeFile(join(release, name), 'of a later release');
  }
  await serve(release);
  try {
    assert.equal(await read('/sdk.tgz'), 'of a later release');
    await act();
  } finally {
    await serve(BUILT);
  }
}

/** A kept connection would end with the release. */
const read = async (path: string) => (await fetch(`${address}${path}`, { headers: { connection: 'close' } })).text();

const named = (end: string) => names.find((name) => name.endsWith(end)) ?? assert.fail(`${end} is not served`);

test('`npm ci` installs what the lockfile names', async () => {
  const cwd = await mkdtemp(join(folder, 'npm-'));
  await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--no-audit', '--no-fund', `${address}/sdk/${named('.tgz')}`];
  await execute('npm', install, { cwd });
  const clean = join(folder, 'npm-clean');
  await mkdir(clean);
  for (const name of ['package.json', 'package-lock.json']) await cp(join(cwd, name), join(clean, name));
  await afterUpgrade(async () => {
    await execute('npm', ['ci', '--no-audit', '--no-fund', '--cache', join(folder, 'npm-cache')], { cwd: clean });
  });
  const { stdout } = await execute('node', ['-p', 'typeof require("bestow-sdk").Bestow'], { cwd: clean });
  assert.equal(stdout, 'function\n');
});

const [python] = await findPythons();
testWhere(python === undefined ? NO_PYTHON : false)(
  'pip installs what the requirements name, with its hash',
  async () => {
    const cwd = await mkdtemp(join(folder, 'python-'));
    const wheel = named('.whl');
    const sums = await read('/sdk/SHA256SUMS');
    const [hash] =
      sums
        .split('\n')
        .find((line) => line.endsWith(wheel))
        ?.split('  ') ?? [];
    await writeFile(join(cwd, 'requirements.txt'), `bestow-sdk @ ${address}/sdk/${wheel} --hash=sha256:${hash}\n`);
    await afterUpgrade(async () => {
      const download = ['-m', 'pip', 'download', '-q', '--no-deps', '--no-cache-dir', '--disable-pip-version-check'];
      await execute(python?.file ?? '', [...download, '-r', 'requirements.txt', '-d', 'wheels'], { cwd });
    });
  },
);

testWhere(missingGo())('Go loads the version that go.sum names, and lists it', async () => {
  const [, version = ''] = /@v\/(v.*)\.zip$/.exec(named('.zip')) ?? [];
  const cwd = await mkdtemp(join(folder, 'go-'));
  await writeFile(join(cwd, 'go.mod'), 'module shop.example/order\n\ngo 1.23\n');
  await writeFile(join(cwd, 'main.go'), 'package main\n\nimport _ "bestow.example/bestow"\n\nfunc main() {}\n');
  const variables = { cwd, proxy: `${address}/sdk/go`, GONOSUMDB: 'bestow.example', GOMODCACHE: join(cwd, 'modules') };
  await go('go', ['get', '-modcacherw', `bestow.example/bestow@${version}`], variables);
  await afterUpgrade(async () => {
    const empty = { ...variables, GOMODCACHE: join(cwd, 'empty') };
    await go('go', ['mod', 'download', '-modcacherw'], empty);
    assert.equal(await read(`/sdk/${GO}/list`), `${version}\nv${LATER}\n`);
  });
});
