import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { changedSince, chooseTests } from './choose-tests.ts';
import { createFileGraph } from './file-graph.ts';
import { needsOf } from './needs.ts';

// What a run of some files provides, and which files changed files choose. On the files of this repository.

const graph = createFileGraph();
const tests = globSync('{readers,server,portal,sdk}/test/**/*.test.ts');
const chosenFor = (...changed: string[]) => chooseTests(tests, changed, graph).files;

const programsOf = (...files: string[]) => [...needsOf(files, graph).programs].sort();

test('a test over HTTP needs no program of Debian’s and no build of the portal', () => {
  assert.deepEqual(needsOf(['server/test/core/orders/orders.test.ts'], graph), { programs: new Set(), portal: false });
});

test('a test needs the programs that it or its harness asks for', () => {
  assert.deepEqual(programsOf('server/test/core/balances/statement-pdf.test.ts'), ['pdftotext']);
  assert.deepEqual(programsOf('server/test/platform/http/nginx.system.test.ts'), ['nginx']);
  assert.ok(programsOf(...globSync('portal/test/other-browsers*.system.test.ts')).includes('firefox'));
});

test('tests in a browser, of the portal’s addresses or of its files need its build', () => {
  for (const file of [
    'portal/test/keys.system.test.ts',
    'server/test/security/headers.test.ts',
    'server/test/surfaces/portal/access.test.ts',
    'server/test/capabilities/docs/client-packages.test.ts',
  ])
    assert.ok(needsOf([file], graph).portal, file);
});

test('a changed folder chooses its tests, those of folders that import it, and those of whole services', () => {
  const chosen = chosenFor('server/src/capabilities/topups/queries.ts');
  for (const file of [
    'server/test/capabilities/topups/checkout.test.ts',
    'server/test/surfaces/portal/roles.test.ts',
    'server/test/security/tenants.test.ts',
    'server/test/core/gifts/gifts.test.ts',
  ])
    assert.equal(chosen.includes(file), !file.includes('gifts'), file);
  assert.ok(chosenFor('server/src/core/gifts/gift/queries.ts').includes('server/test/core/orders/orders.test.ts'));
});

test('a changed test chooses itself, and changed harness the tests that import it', () => {
  const always = chosenFor('CONTRIBUTING.md').filter((file) => !/\/(?:repository|security)\//.test(file));
  assert.deepEqual(
    chosenFor('server/test/core/orders/orders.test.ts').filter((file) => file.includes('/core/orders/')),
    ['server/test/core/orders/orders.test.ts'],
  );
  assert.ok(!always.includes('server/test/core/orders/orders.test.ts'));
  assert.ok(
    chosenFor('server/test/harness/mail-server.ts').includes('server/test/core/delivery/message-retries.test.ts'),
  );
});

test('what may change any test, and what no test names, chooses all', () => {
  for (const path of [
    'package-lock.json',
    'server/test/run.ts',
    'server/test/harness/template-database.ts',
    ...globSync('server/src/platform/database/migrations/*.sql').slice(0, 1),
    'server/src/core/gifts/deleted.ts',
    'deploy/proxy/unknown.conf',
  ]) {
    const { files, reason } = chooseTests(tests, [path], graph);
    assert.equal(files.length, tests.length, path);
    assert.ok(reason.includes(path), reason);
  }
});

test('files changed since a commit are those that differ, are new or are gone', async (t) => {
  const repository = await mkdtemp(join(tmpdir(), 'changed-'));
  t.after(() => rm(repository, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: repository });
  git('init', '--quiet', '--initial-branch', 'main');
  for (const name of ['kept', 'changed', 'gone']) await writeFile(join(repository, name), name);
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  git('switch', '--quiet', '--create', 'branch');
  await writeFile(join(repository, 'changed'), 'again');
  git('commit', '--quiet', '--all', '--message', 'second');
  await rm(join(repository, 'gone'));
  await writeFile(join(repository, 'new'), 'new');
  assert.deepEqual(changedSince(undefined, repository).sort(), ['changed', 'gone', 'new']);
  assert.deepEqual(changedSince('HEAD', repository).sort(), ['gone', 'new']);
});
