import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const PATHS = '{server,portal,readers,bench,reliability,scripts,sdk,extras}/**/*.{ts,tsx,js}';
const texts = new Map(
  globSync(PATHS, { exclude: ['**/node_modules/**', '**/dist/**'] }).map((path) => [path, readFileSync(path, 'utf8')]),
);
/** The files that name a word, by the word. */
const naming = new Map<string, string[]>();
for (const [path, text] of texts)
  for (const word of new Set(text.match(/\w+/g))) naming.set(word, [...(naming.get(word) ?? []), path]);

const values = [...texts].flatMap(([path, text]) =>
  [...text.matchAll(/^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm)].map(([, name = '']) => {
    const others = (naming.get(name) ?? []).filter((other) => other !== path);
    return { path, name, others, isUsedHere: (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1 };
  }),
);

/** Programs load these by their path. */
const byPath = /^(?:sdk\/(?:n8n|test\/runtimes)\/|server\/test\/runner\/report-outcomes\.ts)/;

test('some other file names every exported value', () => {
  const unused = values.filter(({ path, others }) => others.length === 0 && !byPath.test(path));
  assert.ok(values.length > 3_000, `${values.length} values`);
  assert.deepEqual(
    unused.map(({ path, name }) => `${path}: ${name}`),
    [],
  );
});

/** From these, documents and reports are made. */
const forTests = ['portalDocument', 'triedVersions'];

test('no value of the server is there only for tests', () => {
  const isTest = (path: string) => /^server\/test\/|\/test\//.test(path);
  const tested = values.filter(
    ({ path, name, others, isUsedHere }) =>
      path.startsWith('server/src/') && !isUsedHere && others.every(isTest) && !forTests.includes(name),
  );
  assert.deepEqual(
    tested.map(({ path, name }) => `${path}: ${name}`),
    [],
  );
});
