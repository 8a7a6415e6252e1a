import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inBackticks, tableOf } from '../harness/document-tables.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/architecture.md has a row for each folder of server/src', () => {
  const folders = ['platform', 'core', 'faces', 'capabilities', 'surfaces'].flatMap((room) =>
    readdirSync(join(root, 'server/src', room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${room}/${name}`),
  );
  const rows = tableOf(read('docs/architecture.md'), 'folders');
  assert.deepEqual(rows.flatMap(([name = '']) => inBackticks(name)).sort(), folders.sort());
});

test('every file of the kernel that docs/architecture.md names exists', () => {
  const rows = tableOf(read('docs/architecture.md'), 'kernel');
  const files = rows
    .flatMap(([, paths = '']) => inBackticks(paths))
    .flatMap((path) => {
      const [, folder, names] = /^(.*)\{(.*)\}\.ts$/.exec(path) ?? [];
      return names === undefined ? [path] : names.split(',').map((name) => `${folder}${name}.ts`);
    });
  assert.equal(new Set(files).size, 83);
  for (const file of files) assert.ok(existsSync(join(root, 'server/src', file)), file);
});

test('docs/dependencies.md has a row with a reason for each direct dependency', () => {
  const direct = [
    'package.json',
    'engines/node/package.json',
    'engines/postgres/package.json',
    'extras/tracing/package.json',
    'extras/twilio/package.json',
    'readers/package.json',
    'server/package.json',
    'portal/package.json',
    'sdk/package.json',
  ].flatMap((path) => {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(read(path));
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      (name) => name !== 'bestow-readers',
    );
  });
  const rows = tableOf(read('docs/dependencies.md'), 'dependencies');
  assert.deepEqual(rows.flatMap(([names = '']) => inBackticks(names)).toSorted(), [...new Set(direct)].sort());
  for (const [names = '', reason = ''] of rows) assert.match(reason, /\w.*\.$/, names);
});

test('every file and script that CONTRIBUTING.md names exists', () => {
  const named = inBackticks(read('CONTRIBUTING.md'));
  const { scripts } = JSON.parse(read('package.json'));
  const files = named.flatMap((text) => text.match(/\b[\w/-]+\/[\w.-]+\.(?:ts|sql|json|md)\b/g) ?? []);
  for (const file of files) assert.ok(existsSync(join(root, file)), file);
  const runs = named.flatMap((text) => /^npm (?:run )?([\w:]+)/.exec(text)?.[1] ?? []);
  for (const script of runs) assert.ok(script in scripts, script);
  assert.ok(files.length > 0 && runs.includes('generate'));
});

test('the README’s set-up commands are those of package.json', () => {
  const { scripts } = JSON.parse(read('package.json'));
  assert.match(scripts.start, /\bnode server\/bin\/bestow\.js serve$/);
  assert.match(scripts.test, /\bnode server\/test\/run\.ts\b/);
});

test('the README has at most 8,500 bytes', () => {
  const size = Buffer.byteLength(read('README.md'));
  assert.ok(size <= 8_500, `${size} bytes`);
});

test('no document, message or file of a deployment starts bestow with npx, which may ask a registry', () => {
  const patterns = ['*.{md,yaml}', 'Dockerfile', '{docs,deploy}/**/*.*', '{server,portal,sdk}/{src,bin}/**/*.*'];
  const files = globSync([...patterns, 'scripts/*'], { cwd: root, withFileTypes: false });
  assert.ok(files.length > 500);
  assert.deepEqual(
    files.filter((path) => /\bnpx (?:-\S+ )*bestow\b/.test(read(path))),
    [],
  );
});

test('no printed set-up of an agent starts a package by its name, or uses an API key', () => {
  const printed = ['README.md', 'docs/agents.md', 'docs/commands.md', 'portal/src/pages/agents/agent-setups.ts']
    .filter((path) => existsSync(join(root, path)))
    .map((path) => [path, read(path)] as const);
  for (const [path, text] of printed) {
    assert.doesNotMatch(text, /"command": *"(?!\/)/, path);
    assert.doesNotMatch(text, /Bearer bestow-(?!agent-)[^"]*"\s*}?\s*}\s*}/, path);
  }
});
