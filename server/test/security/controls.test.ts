import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { proofs } from '../../../reliability/security/proofs.ts';

/** The table of `npm run security` and the ASVS page name only files and tests that exist. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Names of a file's tests as written in its source; names from tables hold placeholders. */
const testsOf = (file: string) =>
  [...read(file).matchAll(/\btest\(\s*(['`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , name = '']) => name);

test('every control has a proof', () => {
  assert.ok(Object.keys(proofs).length >= 20);
  for (const [id, files] of Object.entries(proofs)) assert.ok(Object.keys(files).length > 0, id);
});

for (const [id, files] of Object.entries(proofs))
  test(`control "${id}" names files and tests that exist`, () => {
    for (const [file, tests] of Object.entries(files)) {
      assert.ok(existsSync(join(root, file)), file);
      const names = testsOf(file);
      if (file.endsWith('.test.ts')) assert.ok(names.length > 0, file);
      for (const text of tests)
        assert.ok(
          names.some((name) => name.includes(text)),
          `${file} has no test “${text}”`,
        );
    }
  });

test('every security test belongs to a control', () => {
  const named = Object.values(proofs).flatMap((files) => Object.keys(files));
  for (const name of readdirSync(import.meta.dirname)) assert.ok(named.includes(`server/test/security/${name}`), name);
});

/**
 * Number of level 1 and 2 requirements in each section of each chapter of ASVS 5.0.0; they are numbered from 1.
 * https://github.com/OWASP/ASVS/tree/v5.0.0
 */
const chapters: Record<string, Record<string, number>> = {
  1: { 1: 2, 2: 9, 3: 11, 4: 3, 5: 2 },
  2: { 1: 3, 2: 3, 3: 4, 4: 1 },
  3: { 2: 2, 3: 4, 4: 6, 5: 5, 7: 2 },
  4: { 1: 3, 2: 1, 3: 2, 4: 4 },
  5: { 1: 1, 2: 3, 3: 2, 4: 3 },
  6: { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  7: { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  8: { 1: 2, 2: 3, 3: 1, 4: 1 },
  9: { 1: 3, 2: 4 },
  10: { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
  11: { 1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1 },
  12: { 1: 3, 2: 2, 3: 4 },
  13: { 1: 1, 2: 5, 3: 2, 4: 5 },
  14: { 1: 2, 2: 4, 3: 3 },
  15: { 1: 3, 2: 3, 3: 7 },
  16: { 1: 1, 2: 5, 3: 4, 4: 3, 5: 3 },
};
const known = Object.entries(chapters).flatMap(([chapter, sections]) =>
  Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, n) => `${chapter}.${section}.${n + 1}`),
  ),
);

test('the ASVS table has each item of level 1 and 2 once, with a verdict', () => {
  const page = read('docs/asvs.md');
  const rows = [
    ...page.matchAll(/^\| ([\d., ]+) \| (.+) \| (met|partly|not met|operator|does not apply) \| (.+) \|$/gm),
  ];
  assert.ok(rows.length > 60, `${rows.length} rows`);
  const listed = rows.flatMap(([, ids = '']) => ids.split(', '));
  assert.deepEqual(listed.sort(), known.sort());
  // A met requirement names its proof.
  for (const [row, , , verdict, how = ''] of rows) {
    const labels = [...how.matchAll(/\[([^\]]+)\]/g)].map(([, label]) => label);
    if (verdict === 'met') assert.ok(labels.length > 0, row);
    for (const label of labels) assert.ok(page.includes(`\n[${label}]: `), `[${label}] leads nowhere`);
  }
});
