import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Workspace } from './workspace.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `timed-out`: the tests did not end, which whoever runs them notices too. */
export type Outcome = 'passed' | 'failed' | 'timed-out';

export interface Run {
  outcome: Outcome;
  /** The process that ran them, after which their databases are named. */
  pid: number;
  tookMs: number;
  /** What it printed: the first test that failed. */
  said: string;
}

interface RunOptions {
  /** From `server` on. */
  test: string;
  /** None: the code as it is. */
  mutantId?: string | undefined;
  timeoutMs: number;
  /** Where to write which mutants' code ran. */
  coverageFile?: string | undefined;
}

/** Ended with this process, as a mutant may run for ever. */
const running = new Set<number>();
process.on('exit', () => {
  for (const pid of running) endGroup(pid);
});

/** Runs a test file in a process of its own, up to the first failure. */
export async function runTest(
  workspace: Workspace,
  { test, mutantId, timeoutMs, coverageFile }: RunOptions,
): Promise<Run> {
  const startedAtMs = performance.now();
  const preload = coverageFile === undefined ? [] : ['--import', here('record-coverage.ts')];
  const reporter = ['--test-reporter', here('stop-at-first.ts'), '--test-reporter-destination', 'stdout'];
  const child = spawn(
    process.execPath,
    [...preload, ...reporter, '--test', '--test-isolation=none', `server/${test}`],
    {
      cwd: workspace.root,
      env: {
        ...process.env,
        ...(mutantId !== undefined && { __STRYKER_ACTIVE_MUTANT__: mutantId }),
        ...(coverageFile !== undefined && { MUTATION_COVERAGE_FILE: coverageFile }),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
      // A process group of its own: what a test starts ends with it.
      detached: true,
    },
  );
  const pid = child.pid;
  if (pid === undefined) throw new Error('Node could not be started.');
  running.add(pid);
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part.toString();
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(pid);
  }, timeoutMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  endGroup(pid);
  running.delete(pid);
  const outcome = isLate ? 'timed-out' : code === 0 ? 'passed' : 'failed';
  return { outcome, pid, tookMs: performance.now() - startedAtMs, said: said.trim().split('\n')[0] ?? '' };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The ids of the mutants whose code a test file runs. @throws Error where the test fails without any mutant */
export async function coverageOf(
  workspace: Workspace,
  test: string,
): Promise<{ covered: ReadonlySet<string>; run: Run }> {
  const coverageFile = join(workspace.root, 'coverage.json');
  const run = await runTest(workspace, { test, timeoutMs: 180_000, coverageFile });
  if (run.outcome !== 'passed') throw new Error(`${test} ${run.outcome} without a mutant: ${run.said}`);
  return { covered: new Set(JSON.parse(readFileSync(coverageFile, 'utf8')) as string[]), run };
}
