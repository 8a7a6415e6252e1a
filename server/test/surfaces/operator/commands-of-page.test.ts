import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runBestow } from '../../harness/command-line.ts';

/** `--help` opens no database. */
const NOWHERE = { host: '127.0.0.1', port: 1, user: 'no one', database: 'none' };

/** The commands that the page names: at most two words, and the options on the same line. */
const named = globSync('portal/src/operator/**/*.tsx').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/["'`]bestow ([a-z]+(?: [a-z][a-z-]*)?)([^\n]*)/g)].map(
    ([, words = '', rest = '']) => ({
      path,
      words,
      options: [...rest.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option),
    }),
  ),
);

test('every command that the operator’s page names exists, with its options', async () => {
  // The second word of the others is chosen as the page is shown.
  const whole = named.filter(({ words }) => words.includes(' ') || words === 'doctor');
  assert.ok(whole.length > 50, `${whole.length} commands`);
  for (const { path, words, options } of whole) {
    const { stdout, code } = await runBestow(NOWHERE, [...words.split(' '), '--help']);
    assert.equal(code, 0, `${path}: ${words}`);
    assert.ok(stdout.startsWith(`Usage: bestow ${words} `), `${path}: ${stdout}`);
    for (const option of options) assert.ok(stdout.includes(option), `${path}: ${words} ${option}`);
  }
});
