import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kill, killProcessesOn } from '../harness/end-processes.ts';
import type { Message, Outcome } from './report-outcomes.ts';
import { writeGroup } from './write-groups.ts';

const REPORTER = fileURLToPath(new URL('report-outcomes.ts', import.meta.url));

/** A process whose tests have ended should end by itself. It is given this long, because then nothing depends on it. */
const GRACE_MS = 10_000;

export interface FileResult {
  file: string;
  outcomes: Outcome[];
  /** How long its tests took. */
  durationMs: number;
}

export interface ProcessResult {
  results: FileResult[];
  /** Files that had not begun when the process ended. */
  notBegun: string[];
  /** What it printed, and what had to be ended. */
  output: string;
}

/** What the messages of a process have told about its files. */
function createProgress(files: readonly string[]) {
  const results = new Map<string, FileResult>();
  const running = new Set<string>();
  let last = files[0] ?? '';
  return {
    results,
    /** The file that began last. */
    last: () => last,
    note(message: Message): void {
      const { type, file, ...rest } = message;
      if (type === 'begun') {
        last = file;
        running.add(file);
        results.set(file, { file, outcomes: [], durationMs: 0 });
        return;
      }
      const result = results.get(file);
      if (result && type === 'outcome') result.outcomes.push(rest as Outcome);
      if (result && message.type === 'ended') result.durationMs = message.durationMs;
      if (type === 'ended') running.delete(file);
    },
    isOver: () => results.size === files.length && running.size === 0,
    /** Counts a failure of the files that were running, or of the first, so that another process can go on after it. */
    fail(error: string): string[] {
      const broken = results.size === 0 ? [last] : [...running];
      for (const file of broken) {
        const { outcomes = [], durationMs = 0 } = results.get(file) ?? {};
        results.set(file, { file, outcomes: [...outcomes, { name: file, hasPassed: false, error }], durationMs });
      }
      return broken.map((file) => `✖ ${file}: ${error}`);
    },
  };
}

/**
 * Runs test files in one process with its own group and its own temporary directory. Both are ended with it: after the last
 * test, or after a silence, which is a failure of the file that was running.
 *
 * @param silenceMs without output and outcomes, the process counts as hung
 * @param variables of its environment
 */
export async function runProcess(
  files: readonly string[],
  silenceMs: number,
  variables: Record<string, string>,
): Promise<ProcessResult> {
  const directory = await mkdtemp(join(tmpdir(), 'tests-'));
  // PostgreSQL as another user reaches its directory below.
  await chmod(directory, 0o755);
  const program = join(directory, 'files.mjs');
  writeGroup(program, files);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test-reporter', REPORTER, program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...env, ...variables, TMPDIR: directory },
    detached: true,
  });
  const progress = createProgress(files);
  const output: string[] = [];
  const reason = await untilEnd(child, progress, silenceMs, (text) => output.push(text));
  output.push(...progress.fail(reason).map((line) => `${line}\n`));
  const left = await killProcessesOn(directory);
  if (left > 0) output.push(`${left} processes were left running by ${progress.last()}; they were killed.\n`);
  await closePipes(child);
  await rm(directory, { recursive: true, force: true });
  const notBegun = files.filter((file) => !progress.results.has(file));
  return { results: [...progress.results.values()], notBegun, output: output.join('') };
}

/** Waits until the process has ended, or ends it; returns how it ended. */
async function untilEnd(
  child: ChildProcess,
  progress: ReturnType<typeof createProgress>,
  silenceMs: number,
  print: (text: string) => void,
): Promise<string> {
  let reason: string | undefined;
  const endGroup = () => kill(-(child.pid ?? 0));
  const silence = setTimeout(() => {
    reason = `hung: no output for ${silenceMs / 1000} s`;
    endGroup();
  }, silenceMs);
  let grace: NodeJS.Timeout | undefined;
  child.on('message', (message: Message) => {
    silence.refresh();
    progress.note(message);
    if (progress.isOver())
      grace ??= setTimeout(() => {
        print(`${progress.last()} left something open; its process was killed.\n`);
        endGroup();
      }, GRACE_MS);
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      silence.refresh();
      print(text);
    });
  // The last messages may arrive after the exit.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  clearTimeout(silence);
  clearTimeout(grace);
  endGroup();
  return reason ?? `its process ended with ${signal ?? code}`;
}

/** A process that was not found could hold the pipes open for ever. */
async function closePipes(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  await Promise.race([
    Promise.all(streams.map((stream) => stream.closed || once(stream, 'close'))),
    sleep(GRACE_MS, undefined, { ref: false }),
  ]);
  for (const stream of streams) stream.destroy();
}
