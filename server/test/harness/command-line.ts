import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { runProgram } from '../../src/surfaces/commands/program.ts';
import { HUNG_AFTER_MS } from './server-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
export const UNKNOWN_ORGANIZATION = 'org_01h455vb4pex5vsknk084sn02q';

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  /** The whole standard input; at a terminal, the answer to the first question. */
  input?: string;
  isTerminal?: boolean;
  variables?: Record<string, string>;
}

/** Settings as on a new machine, for this database. */
export function commandEnvironment({ host = '', port, user = '', database }: ConnectionTarget): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const DATABASE_URL = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  return { PATH, NODE_COMPILE_CACHE, DATABASE_URL, LINK_SECRET: 'a link secret for commands that is long enough' };
}

let lastRun: Promise<unknown> = Promise.resolve();

/** Runs `bestow` in this process, after earlier commands have ended: they share its settings and output. */
export function runBestow(target: ConnectionTarget, args: readonly string[], options: Options = {}): Promise<Outcome> {
  const run = lastRun.then(() => runAlone(target, args, options));
  lastRun = run.catch(() => undefined);
  return run;
}

async function runAlone(
  target: ConnectionTarget,
  args: readonly string[],
  { input = '', isTerminal = false, variables = {} }: Options,
): Promise<Outcome> {
  const outcome = { stdout: '', stderr: '' };
  const real = { env: process.env, stdin: process.stdin, stdout: process.stdout.write, stderr: process.stderr.write };
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal });
  if (!isTerminal) stdin.end(input);
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = ((chunk: unknown, ...more: unknown[]) => {
      // The test runner writes bytes, a command text.
      if (typeof chunk !== 'string') return Reflect.apply(real[name], process[name], [chunk, ...more]);
      outcome[name] += chunk;
      if (isTerminal && /\[y\/N\] $|Then press Enter/.test(chunk)) stdin.end(input);
      const done = more.at(-1);
      if (typeof done === 'function') done();
      return true;
    }) as typeof process.stdout.write;
  process.env = { ...commandEnvironment(target), ...variables };
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  try {
    const code = await runProgram(args);
    return { code, ...outcome };
  } finally {
    process.env = real.env;
    process.stdout.write = real.stdout;
    process.stderr.write = real.stderr;
    Object.defineProperty(process, 'stdin', { value: real.stdin, configurable: true });
  }
}

/** Runs `bestow` as a process; the words before it, such as a shell's, run it. */
export function spawnBestow(
  target: ConnectionTarget,
  args: string[],
  { shell = '', isRead = true, answer }: { shell?: string; isRead?: boolean; answer?: string } = {},
): Promise<Outcome> {
  const command = [process.execPath, MAIN, ...args];
  const [file = '', ...words] = shell === '' ? command : ['sh', '-c', shell, 'sh', ...command];
  const child = spawn(file, words, { env: commandEnvironment(target), stdio: 'pipe', timeout: HUNG_AFTER_MS });
  const outcome = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      outcome[stream] += text;
      // At a pseudo terminal, standard output has both streams.
      if (answer !== undefined && outcome.stdout.includes('[y/N] ')) child.stdin.end(answer);
    });
  if (!isRead) child.stdout.destroy();
  child.stdin.on('error', () => undefined);
  if (answer === undefined) child.stdin.end('no\n');
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      if (child.killed) reject(new Error(`bestow ${args.join(' ')} hung: ${JSON.stringify(outcome)}`));
      else resolve({ code, ...outcome });
    });
  });
}

interface CommandLine {
  target(): ConnectionTarget;
  bestow(args: readonly string[], options?: Options): Promise<Outcome>;
  /** The JSON that a command prints; fails if it prints anything else. */
  // biome-ignore lint/suspicious/noExplicitAny: the results of all commands
  json(...args: string[]): Promise<any>;
  /** Checks for exit code 1 and one sentence on standard error. */
  assertRefused(pattern: RegExp, args: string[], options?: Options): Promise<void>;
}

/** Call it once in a test file: its commands then share one database. */
export function openCommandLine(): CommandLine {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database?.drop());
  const bestow: CommandLine['bestow'] = (args, options) => runBestow(database.target, args, options);
  return {
    target: () => database.target,
    bestow,
    async json(...args) {
      const { code, stdout, stderr } = await bestow([...args, '--json']);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
      return JSON.parse(stdout);
    },
    async assertRefused(pattern, args, options) {
      const { code, stdout, stderr } = await bestow(args, options);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, args.join(' '));
      assert.match(stderr, pattern);
      assert.match(stderr, /^[^\n]+\.\n$/);
    },
  };
}
