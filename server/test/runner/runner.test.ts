import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { isRunning } from '../harness/end-processes.ts';
import { until } from '../harness/server-process.ts';
import { type RunOptions, runFiles } from './run-files.ts';

// What the runner counts, runs again and ends.

const BROKEN = `() => { throw new Error('broken'); }`;
/** Starts a process in another group, writes its id beside the file, and lets it hold the output open. */
const LEFT_RUNNING = `() => {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' });
  writeFileSync(new URL(import.meta.url + '.pid'), String(child.pid));
  throw new Error('broken');
}`;
/** Fails once: the first run leaves a file. */
const ONCE = `() => {
  const mark = new URL(import.meta.url + '.mark');
  if (existsSync(mark)) return;
  writeFileSync(mark, '');
  throw new Error('broken once');
}`;

suite('the test runner', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'run-'));
  });
  after(() => rm(directory, { recursive: true }));

  let written = 0;
  async function write(text: string): Promise<string> {
    written += 1;
    const file = join(directory, `${written}.test.mjs`);
    const imports = `import { spawn } from 'node:child_process';
      import { existsSync, writeFileSync } from 'node:fs';
      import { after, suite, test } from 'node:test';`;
    await writeFile(file, `${imports}\n${text}`);
    return file;
  }

  /** Runs these files in one group. */
  async function runText(texts: string[], options: Partial<RunOptions> = {}) {
    const files = await Promise.all(texts.map(write));
    let output = '';
    const print = (text: string) => {
      output += text;
    };
    const groups = [{ files, variables: {} }];
    const result = await runFiles(groups, { concurrency: 1, failsAtOnce: () => false, print, ...options });
    return { ...result, output, names: files };
  }

  test('each test counts once, and a skipped test has not passed', async () => {
    const { files, passed, failed } = await runText([
      `suite('of three', () => {
        test('good', () => {});
        test('bad', ${BROKEN});
        test.skip('left out', () => {});
      });
      test.todo('to do', () => {});`,
    ]);
    assert.deepEqual(
      files[0]?.outcomes.map(({ name, hasPassed }) => [name, hasPassed]),
      [
        ['good', true],
        ['bad', false],
        ['left out', false],
        ['to do', false],
      ],
    );
    assert.deepEqual([passed, failed], [1, 3]);
  });

  for (const [name, text] of [
    ['a suite whose end breaks', `suite('broken', () => { after(${BROKEN}); test('good', () => {}); });`],
    ['a suite that breaks before its first test', `suite('broken', ${BROKEN});`],
    ['a file that cannot be read', `test('broken', () => {`],
    ['a file whose process ends', `test('broken', () => process.exit(0));`],
  ] as const)
    test(`${name} has failed`, async () => {
      assert.equal((await runText([text])).failed, 1);
    });

  test('a file that fails once passes on its second run, alone, and the first error is printed', async () => {
    const { passed, failed, output, names } = await runText([`test('first', ${ONCE});`, `test('second', () => {});`]);
    assert.deepEqual([passed, failed], [2, 0]);
    assert.match(output, /Passed on the second run:\n {2}\S+\.test\.mjs: first\n\s+Error: broken once\n/);
    assert.equal(output.split(`✔ ${names[1]}`).length, 2);
  });

  test('one file in two groups counts twice, each with the variables of its group', async () => {
    const file = await write(`test('on one', () => { if (process.env.PLACE !== 'one') throw new Error('other'); });`);
    const groups = ['one', 'two'].map((PLACE) => ({ files: [file], variables: { PLACE } }));
    const { passed, failed } = await runFiles(groups, { concurrency: 2, failsAtOnce: () => false, print: () => {} });
    assert.deepEqual([passed, failed], [1, 1]);
  });

  test('a file that fails twice has failed', async () => {
    const { passed, failed, output } = await runText([`test('good', () => {}); test('bad', ${BROKEN});`]);
    assert.deepEqual([passed, failed], [1, 1]);
    assert.doesNotMatch(output, /Passed on the second run/);
  });

  test('a file of money fails at its first failure', async () => {
    const { failed, output } = await runText([`test('first', ${ONCE});`], { failsAtOnce: () => true });
    assert.equal(failed, 1);
    assert.doesNotMatch(output, /second run/);
  });

  test('a file that is silent is ended, named as hung, and the others of its process run', async () => {
    const { passed, failed, output, names } = await runText(
      [
        `test('good', () => {}); test('endless', () => new Promise(() => setInterval(() => {}, 1_000)));`,
        `test('next', () => {});`,
      ],
      { failsAtOnce: () => true, silenceMs: 3_000 },
    );
    assert.deepEqual([passed, failed], [2, 1]);
    assert.ok(output.includes(`✖ ${names[0]}: hung`), output);
  });

  test('a process that a failed test left running is ended, and the file is named', async () => {
    const { failed, output, names } = await runText([`test('bad', ${LEFT_RUNNING});`], { failsAtOnce: () => true });
    assert.equal(failed, 1);
    const pidFile = `${names[0]}.pid`;
    assert.ok(existsSync(pidFile), output);
    await until(() => !isRunning(Number(readFileSync(pidFile, 'utf8'))), 'the process is ended');
    assert.ok(output.includes(`left running by ${names[0]}`), output);
  });
});
