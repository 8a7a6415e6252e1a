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

/**
 * Runs test files in one process with its own group and its own temporary directory. Both are ended with it: after the last
 * test, or after a silence, which is a failure of the file that was running.
 *
 * @param silenceMs without output and outcomes, the process counts as hung
 */
export async function runProcess(files: readonly string[], silenceMs: number): Promise<ProcessResult> {
  const directory = await mkdtemp(join(tmpdir(), 'tests-'));
  // PostgreSQL as another user reaches its directory below.
  await chmod(directory, 0o755);
  const program = join(directory, 'files.mjs');
  writeGroup(program, files);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test-reporter', REPORTER, program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...env, TMPDIR: directory },
    detached: true,
  });
  const run = followProcess(child, files, silenceMs);
  const notes = await run.ended;
  const left = await killProcessesOn(directory);
  if (left > 0) notes.push(`${left} processes were left running by ${run.last() ?? files[0]}; they were killed.`);
  await closePipes(child);
  await rm(directory, { recursive: true, force: true });
  const { results, notBegun } = run.results();
  return { results, notBegun, output: [run.output(), ...notes.map((note) => `${note}\n`)].join('') };
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

function followProcess(child: ChildProcess, files: readonly string[], silenceMs: number) {
  const results = new Map<string, FileResult>();
  const running = new Set<string>();
  let last: string | undefined;
  let output = '';
  let reason = '';
  const notes: string[] = [];
  const group = -(child.pid ?? 0);

  const end = (why: string) => {
    reason = why;
    kill(group);
  };
  const silence = setTimeout(() => {
    end(`hung: no output for ${silenceMs / 1000} s`);
  }, silenceMs);
  let grace: NodeJS.Timeout | undefined;

  child.on('message', (message: Message) => {
    silence.refresh();
    if (message.type === 'begun') {
      last = message.file;
      running.add(last);
      results.set(last, { file: last, outcomes: [], durationMs: 0 });
      return;
    }
    const { type, file, ...rest } = message;
    const result = results.get(file);
    if (type === 'outcome') result?.outcomes.push(rest as Outcome);
    if (type !== 'ended') return;
    if (result) result.durationMs = message.durationMs;
    running.delete(file);
    // The results are in, so the end of a process that leaves something open changes none of them.
    if (results.size === files.length && running.size === 0)
      grace ??= setTimeout(() => {
        notes.push(`${file} left something open; its process was killed.`);
        kill(group);
      }, GRACE_MS);
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      silence.refresh();
      output += text;
    });

  const ended = new Promise<string[]>((resolve, reject) => {
    child.on('error', reject).on('exit', (code, signal) => {
      clearTimeout(silence);
      clearTimeout(grace);
      kill(group);
      const error = reason || `its process ended with ${signal ?? code}`;
      // A process that ends before its first file counts as a failure of this file, so that a second process goes on.
      for (const file of results.size === 0 ? files.slice(0, 1) : running) {
        const result = results.get(file) ?? { file, outcomes: [], durationMs: 0 };
        result.outcomes.push({ name: file, hasPassed: false, error });
        results.set(file, result);
        notes.push(`✖ ${file}: ${error}`);
      }
      resolve(notes);
    });
  });
  return {
    ended,
    last: () => last,
    output: () => output,
    results: () => ({
      results: [...results.values()],
      notBegun: files.filter((file) => !results.has(file)),
    }),
  };
}
