import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';

// The GitHub Action of this repository, whose steps run one after another as a runner runs them, each in a shell of its own.

interface Action {
  runs: { using: string; steps: { shell: string; run: string; 'working-directory': string }[] };
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
/** A runner ends what has its mark when the job ends. */
const RUNNER_TRACKING_ID = `github_${randomUUID()}`;
let directory: string;
let set: Record<string, string>;

async function runStep({ run, 'working-directory': folder }: Action['runs']['steps'][number]): Promise<void> {
  const script = join(directory, `${randomUUID()}.sh`);
  await writeFile(script, run);
  await promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd: folder.replace(/^\$\{\{ github\.action_path \}\}$/, root),
    env: { ...process.env, RUNNER_TRACKING_ID, RUNNER_TEMP: directory, GITHUB_ENV: join(directory, 'env') },
  });
}

const ofJob = () =>
  globSync('/proc/[0-9]*/environ').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(RUNNER_TRACKING_ID);
    } catch {
      return false;
    }
  });

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bestow-action-'));
  for (const step of runs.steps) await runStep(step);
  const lines = (await readFile(join(directory, 'env'), 'utf8')).trim().split('\n');
  set = Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2)));
});
after(async () => {
  for (const file of ofJob()) {
    try {
      process.kill(Number(file.split('/')[2]), 'SIGTERM');
    } catch {
      // It has ended since.
    }
  }
  while (ofJob().length > 0) await wait(50);
  await rm(directory, { recursive: true });
});

test('the steps are of a composite action, in bash', () => {
  assert.equal(runs.using, 'composite');
  assert.ok(runs.steps.every(({ shell }) => shell === 'bash'));
});

test('after its steps the next ones have an address and a key of a service that sells', async () => {
  assert.deepEqual(Object.keys(set), ['BESTOW_URL', 'BESTOW_KEY']);
  const gift = { amount: 2_500, category: 'coffee', delivery: { method: 'email', email: 'claimed@sandbox.gift.test' } };
  const answer = await fetch(`${set['BESTOW_URL']}/v1/orders`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${set['BESTOW_KEY']}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'action-1',
    },
    body: JSON.stringify({ gifts: [gift] }),
  });
  const { gifts } = (await answer.json()) as { gifts: { delivery: { status: string } }[] };
  assert.deepEqual([answer.status, gifts[0]?.delivery.status], [201, 'claimed']);
});
