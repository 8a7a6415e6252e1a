import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createApiClient } from '../harness/api-client.ts';
import { serve, temporaryDirectory } from '../harness/server-process.ts';

/** Installed packages are the chosen ones, and run no scripts at installation. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  /** By package, or by the packages of one package. */
  overrides?: Record<string, string | Record<string, string>>;
  allowScripts?: Record<string, boolean>;
}
interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const folders = [
  '.',
  'engines/node',
  'engines/postgres',
  'extras/tracing',
  'extras/twilio',
  'server',
  'portal',
  'sdk',
  'reliability/tools',
];
const locks = ['package-lock.json', 'reliability/tools/package-lock.json'];
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

const lockedIn = (lock: string): [string, Locked][] =>
  Object.entries(read(lock).packages as Record<string, Locked>).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );

test('every dependency of every package has one exact version', () => {
  let count = 0;
  for (const folder of folders) {
    const manifest: Manifest = read(join(folder, 'package.json'));
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'] as const)
      for (const [name, chosen] of Object.entries(manifest[kind] ?? {}))
        for (const version of typeof chosen === 'string' ? [chosen] : Object.values(chosen)) {
          count += 1;
          assert.match(version.replace(/^npm:(?:@[^/]+\/)?[^@]+@/, ''), EXACT, `${folder}: ${name} ${version}`);
        }
  }
  assert.ok(count > 60, `${count} dependencies`);
});

test('every lockfile entry has a checksum and the address of its archive at the public registry', () => {
  for (const lock of locks) {
    const entries = lockedIn(lock);
    assert.ok(entries.length > 200, lock);
    for (const [path, { integrity, resolved, version }] of entries) {
      assert.match(integrity ?? 'none', /^sha512-[A-Za-z0-9+/]{86}==$/, `${lock}: ${path}`);
      assert.match(version ?? '', EXACT, `${lock}: ${path}`);
      // Without the address, npm loads the list of all versions of each package: 96 MB more, a third of the installation.
      assert.match(resolved ?? 'none', /^https:\/\/registry\.npmjs\.org\/.+\/-\/.+\.tgz$/, `${lock}: ${path}`);
    }
  }
});

test('every package of Python has one exact version, also those that others need', () => {
  for (const folder of ['clients/python', 'schemathesis']) {
    const text = readFileSync(join(root, 'reliability', folder, 'requirements.txt'), 'utf8');
    const packages = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of packages) assert.match(line, /^[\w.-]+==\d[\w.]*$/);
    assert.ok(packages.length > 20, `${packages.length} packages of ${folder}`);
  }
});

test('only packages that are allowed by name run install scripts', () => {
  const allowed = Object.entries((read('package.json') as Manifest).allowScripts ?? {}).filter(
    ([, isAllowed]) => isAllowed,
  );
  const withScript = lockedIn('package-lock.json').filter(([, { hasInstallScript }]) => hasInstallScript === true);
  assert.deepEqual(
    withScript.map(([path]) => path.replace(/^.*node_modules\//, '')).sort(),
    allowed.map(([name]) => name).sort(),
  );
  // Their scripts link files and download nothing.
  for (const [name] of allowed) {
    const path = join(root, 'node_modules', name, 'scripts/hydrate-symlinks.js');
    if (existsSync(path)) assert.doesNotMatch(readFileSync(path, 'utf8'), /https?:|fetch\(|child_process/, name);
  }
  // The separate tools are installed without scripts.
  assert.match(readFileSync(join(root, 'reliability/tools/.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
});

test('the bill of materials names every dependency', () => {
  for (const [format, extract] of [
    ['cyclonedx', ({ components }: Bill) => components ?? []],
    ['spdx', ({ packages }: Bill) => packages ?? []],
  ] as const) {
    const args = ['sbom', '--package-lock-only', '--sbom-format', format];
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 25 });
    assert.equal(status, 0, stderr);
    const listed = extract(JSON.parse(stdout) as Bill);
    // Part of this repository.
    for (const name of Object.keys((read('server/package.json') as Manifest).dependencies ?? {}))
      if (name !== 'bestow-readers')
        assert.ok(
          listed.some((one) => one.name === name),
          `${format}: ${name}`,
        );
  }
});

interface Bill {
  components?: { name: string }[];
  packages?: { name: string }[];
}

/** Provider SDKs, tracing, metrics and the sign-in library. */
const ON_DEMAND =
  /^(?:twilio|prom-client|nodemailer|sns-payload-validator|better-auth|marked|@(?:sendgrid|opentelemetry|better-auth)\/.*)$/;

test('optional libraries load only if they are configured or used', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const file = join(dataDir, 'packages');
  const hook = fileURLToPath(new URL('../harness/report-packages.ts', import.meta.url));
  const server = serve(dataDir, { LOG_LEVEL: 'silent', NODE_OPTIONS: `--import=${hook}`, PACKAGES_FILE: file });
  const { address, sandboxKey } = await server.ready();
  assert.equal((await createApiClient(address, sandboxKey).get('/v1/orders')).status, 200);
  server.signal('SIGTERM');
  await server.ended;
  const loaded = readFileSync(file, 'utf8').trim().split('\n');
  for (const name of ['fastify', 'pg', 'pg-boss']) assert.ok(loaded.includes(name), `${name} is seen`);
  assert.deepEqual(
    loaded.filter((name) => ON_DEMAND.test(name)),
    [],
  );
});
