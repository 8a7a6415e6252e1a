import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { followSamples } from '../harness/document-samples.ts';
import { serve, temporaryDirectory } from '../harness/server-process.ts';

// A newcomer follows the README first, so this test runs every command in it against a service started like `npm start`.

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

/** Not run: the test itself starts the service. */
const SET_UP = ['git clone ADDRESS-OF-THIS-REPOSITORY bestow', 'cd bestow', 'npm start', 'npm test'];

test('every command of the README runs in its order and returns the answer shown', async (t) => {
  const { address, sandboxKey = '', curl = '' } = await serve(await temporaryDirectory(t)).ready();
  for (const line of SET_UP) assert.ok(readme.includes(`\n${line}\n`), line);
  const samples = readme
    .split('\n')
    .filter((line) => !SET_UP.includes(line))
    .join('\n');
  const { answers } = await followSamples(samples, {
    url: address,
    variables: {},
    fillings: { KEY: () => sandboxKey },
  });
  assert.equal(answers, 2);
  // The start prints the same order, so doing both is a replay.
  const body = (text: string): unknown => JSON.parse(/-d '(\{.*?\})'$/ms.exec(text)?.[1] ?? assert.fail(text));
  assert.deepEqual(body(readme), body(curl));
  for (const text of [readme, curl]) assert.match(text, /Idempotency-Key: my-first-order/);
});
