import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

// What counts as passed and failed.

const RUNNER = new URL('../harness/run-tests.ts', import.meta.url).href;

/** Returns the outcomes of a run of this file, in another process, because a test cannot run test files. */
async function outcomesOf(text: string): Promise<Record<string, boolean>> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-run-'));
  try {
    const file = join(directory, 'some.test.mjs');
    await writeFile(file, `import { after, before, suite, test } from 'node:test';\n${text}`);
    const program = join(directory, 'run.mjs');
    await writeFile(
      program,
      `import { runTests } from ${JSON.stringify(RUNNER)};
      const outcomes = {};
      const options = { files: [${JSON.stringify(file)}] };
      const events = runTests(options, ({ name, hasPassed }) => Object.assign(outcomes, { [name]: hasPassed }));
      events.on('end', () => process.stdout.write(JSON.stringify(outcomes)));
      events.resume();`,
    );
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    return JSON.parse(stdout);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const broken = `() => { throw new Error('broken'); }`;

test('each test counts once, and a skipped test has not passed', async () => {
  const outcomes = await outcomesOf(`suite('of three', () => {
    test('good', () => {});
    test('bad', ${broken});
    test.skip('left out', () => {});
  });
  test.todo('to do', () => {});`);
  assert.deepEqual(outcomes, { good: true, bad: false, 'left out': false, 'to do': false });
});

for (const [name, text] of [
  ['whose end breaks', `suite('broken', () => { after(${broken}); test('good', () => {}); });`],
  ['that breaks before its first test', `suite('broken', ${broken});`],
] as const)
  test(`a suite ${name} has failed`, async () => {
    assert.equal((await outcomesOf(text))['broken'], false);
  });
