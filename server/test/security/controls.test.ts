import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { controls } from '../../../reliability/security/controls.ts';

/** The table of `npm run security` and the ASVS page name only files and tests that exist. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Names of a file's tests as written in its source; names from tables hold placeholders. */
const testsOf = (file: string) =>
  [...read(file).matchAll(/\btest\(\s*(['`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , name = '']) => name);

test('every control has a proof and a unique id', () => {
  assert.ok(controls.length >= 20);
  assert.equal(new Set(controls.map(({ id }) => id)).size, controls.length);
  for (const { id, proofs } of controls) assert.ok(proofs.length > 0, id);
});

for (const { id, proofs } of controls)
  test(`control "${id}" names files and tests that exist`, () => {
    for (const proof of proofs) {
      if ('program' in proof) {
        assert.ok(existsSync(join(root, 'reliability/security', proof.program)), proof.program);
        continue;
      }
      const names = testsOf(proof.file);
      assert.ok(names.length > 0, proof.file);
      for (const text of proof.tests ?? [])
        assert.ok(
          names.some((name) => name.includes(text)),
          `${proof.file} has no test “${text}”`,
        );
    }
  });

test('every security test belongs to a control', () => {
  const named = controls.flatMap(({ proofs }) => proofs.map((proof) => ('file' in proof ? proof.file : proof.program)));
  const written = [
    'canaries',
    'headers',
    'timing',
    'extra-fields',
    'sessions',
    'authenticator',
    'codes',
    'message-caps',
    'dependencies',
    'tenants-portal',
  ];
  for (const name of written)
    assert.ok(
      named.some((file) => file.startsWith(`server/test/security/${name}.`)),
      name,
    );
});

/**
 * Number of level 1 and 2 requirements in each section of ASVS 5.0.0.
 * https://github.com/OWASP/ASVS/tree/v5.0.0
 */
const sections: Record<string, string> = {
  '1.1': '1 2',
  '1.2': '1 2 3 4 5 6 7 8 9',
  '1.3': '1 2 3 4 5 6 7 8 9 10 11',
  '1.4': '1 2 3',
  '1.5': '1 2',
  '2.1': '1 2 3',
  '2.2': '1 2 3',
  '2.3': '1 2 3 4',
  '2.4': '1',
  '3.2': '1 2',
  '3.3': '1 2 3 4',
  '3.4': '1 2 3 4 5 6',
  '3.5': '1 2 3 4 5',
  '3.7': '1 2',
  '4.1': '1 2 3',
  '4.2': '1',
  '4.3': '1 2',
  '4.4': '1 2 3 4',
  '5.1': '1',
  '5.2': '1 2 3',
  '5.3': '1 2',
  '5.4': '1 2 3',
  '6.1': '1 2 3',
  '6.2': '1 2 3 4 5 6 7 8 9 10 11 12',
  '6.3': '1 2 3 4',
  '6.4': '1 2 3 4',
  '6.5': '1 2 3 4 5',
  '6.6': '1 2 3',
  '6.8': '1 2 3 4',
  '7.1': '1 2 3',
  '7.2': '1 2 3 4',
  '7.3': '1 2',
  '7.4': '1 2 3 4 5',
  '7.5': '1 2',
  '7.6': '1 2',
  '8.1': '1 2',
  '8.2': '1 2 3',
  '8.3': '1',
  '8.4': '1',
  '9.1': '1 2 3',
  '9.2': '1 2 3 4',
  '11.1': '1 2',
  '11.2': '1 2 3',
  '11.3': '1 2 3',
  '11.4': '1 2 3 4',
  '11.5': '1',
  '11.6': '1',
  '12.1': '1 2 3',
  '12.2': '1 2',
  '12.3': '1 2 3 4',
  '13.1': '1',
  '13.2': '1 2 3 4 5',
  '13.3': '1 2',
  '13.4': '1 2 3 4 5',
  '14.1': '1 2',
  '14.2': '1 2 3 4',
  '14.3': '1 2 3',
  '15.1': '1 2 3',
  '15.2': '1 2 3',
  '15.3': '1 2 3 4 5 6 7',
  '16.1': '1',
  '16.2': '1 2 3 4 5',
  '16.3': '1 2 3 4',
  '16.4': '1 2 3',
  '16.5': '1 2 3',
};
const known = Object.entries(sections).flatMap(([section, numbers]) =>
  numbers.split(' ').map((n) => `${section}.${n}`),
);

test('the ASVS table has each item of level 1 and 2 once, with a verdict', () => {
  const page = read('docs/asvs.md');
  const rows = [
    ...page.matchAll(/^\| ([\d., ]+) \| (.+) \| (met|partly|not met|operator|does not apply) \| (.+) \|$/gm),
  ];
  assert.ok(rows.length > 60, `${rows.length} rows`);
  const listed = rows.flatMap(([, ids = '']) => ids.split(', '));
  assert.deepEqual(
    listed.filter((id, n) => listed.indexOf(id) !== n),
    [],
    'twice',
  );
  assert.deepEqual(
    listed.filter((id) => !known.includes(id)),
    [],
    'unknown',
  );
  assert.deepEqual(
    known.filter((id) => !listed.includes(id)),
    [],
    'missing',
  );
  // A met requirement names its proof.
  for (const [row, , , verdict, how = ''] of rows) {
    const labels = [...how.matchAll(/\[([^\]]+)\]/g)].map(([, label]) => label);
    if (verdict === 'met') assert.ok(labels.length > 0, row);
    for (const label of labels) assert.ok(page.includes(`\n[${label}]: `), `[${label}] leads nowhere`);
  }
});
