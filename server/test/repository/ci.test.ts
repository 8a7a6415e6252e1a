import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** What each command of npm prints last, and its exit code. */
const SUMS: Record<string, [sum: string, code: number]> = {
  test: ['3 passed, 0 failed', 0],
  'run test:system': ['5 passed, 0 failed', 0],
  'run test:shards -- --short': ['7 passed, 0 failed', 0],
  'run reliability -- --short': ['11 passed, 0 failed', 0],
  'run bench -- --short': ['a table', 0],
  'run schemathesis -- --short': ['2 passed, 0 failed', 0],
  'run clients -- --short': ['18 passed, 0 failed', 0],
};

/** Runs `.ci/run` with an npm that only prints. */
function runChecks(sums: typeof SUMS) {
  const directory = mkdtempSync(join(tmpdir(), 'bestow-ci-'));
  const cases = Object.entries(sums).map(([command, [sum, code]]) => `"${command}") echo "${sum}"; exit ${code};;`);
  const npm = ['#!/bin/sh', 'echo "$*" >>"$0.called"', 'case "$*" in', ...cases, 'esac'];
  writeFileSync(join(directory, 'npm'), npm.join('\n'), { mode: 0o755 });
  const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` };
  const { stdout, status } = spawnSync('bash', ['.ci/run'], { env, encoding: 'utf8' });
  const called = readFileSync(join(directory, 'npm.called'), 'utf8').trim().split('\n');
  rmSync(directory, { recursive: true });
  return { last: stdout.trim().split('\n').at(-1), status, called };
}

test('CI runs every suite, Schemathesis and the generated clients', () => {
  const { last, status, called } = runChecks(SUMS);
  assert.deepEqual(called.sort(), Object.keys(SUMS).sort());
  assert.deepEqual([last, status], ['47 passed, 0 failed', 0]);
});

test('CI fails if any command fails, also without a sum', () => {
  for (const command of Object.keys(SUMS))
    for (const sum of ['1 passed, 0 failed', 'an error'])
      assert.equal(runChecks({ ...SUMS, [command]: [sum, 1] }).status, 1, `${command}: ${sum}`);
});
