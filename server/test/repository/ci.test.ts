import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** What a command of npm prints last, and its exit code. */
type Sums = Record<string, [sum: string, code: number]>;

const GATE: Sums = { test: ['3 passed, 0 failed', 0], 'run test:system': ['5 passed, 0 failed', 0] };
const FULL: Sums = {
  test: ['3 passed, 0 failed', 0],
  'run test:system -- --all': ['5 passed, 0 failed', 0],
  'run test:shards': ['7 passed, 0 failed', 0],
  'run reliability -- --short': ['11 passed, 0 failed', 0],
  'run faults': ['a table', 0],
  'run bench': ['a table', 0],
  'run schemathesis': ['2 passed, 0 failed', 0],
  'run clients': ['18 passed, 0 failed', 0],
};

/** Runs `.ci/run` with an npm that only prints. */
function runChecks(sums: Sums, ...words: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'bestow-ci-'));
  const cases = Object.entries(sums).map(([command, [sum, code]]) => `"${command}") echo "${sum}"; exit ${code};;`);
  const npm = ['#!/bin/sh', 'echo "$*" >>"$0.called"', 'case "$*" in', ...cases, 'esac'];
  writeFileSync(join(directory, 'npm'), npm.join('\n'), { mode: 0o755 });
  const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` };
  const { stdout, status } = spawnSync('bash', ['.ci/run', ...words], { env, encoding: 'utf8' });
  const called = readFileSync(join(directory, 'npm.called'), 'utf8').trim().split('\n');
  rmSync(directory, { recursive: true });
  return { last: stdout.trim().split('\n').at(-1), status, called };
}

test('the gate runs two suites, and test:full everything', () => {
  for (const [words, sums, last] of [
    [[], GATE, '8 passed, 0 failed'],
    [['--full'], FULL, '48 passed, 0 failed'],
  ] as const) {
    const run = runChecks(sums, ...words);
    assert.deepEqual(run, { last, status: 0, called: Object.keys(sums) });
  }
});

test('the gate fails if any command fails, also without a sum', () => {
  for (const command of Object.keys(GATE))
    for (const sum of ['1 passed, 0 failed', 'an error'])
      assert.equal(runChecks({ ...GATE, [command]: [sum, 1] }).status, 1, `${command}: ${sum}`);
});
