import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ConnectionTarget } from '../../src/database/connections.ts';
import { type OpenDatabase, openDatabase } from '../../src/process/open-database.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
export const UNKNOWN_ORGANIZATION = 'org_01h455vb4pex5vsknk084sn02q';

// Node's test runner gives each test file a process, and so a data directory, of its own.
let dataDir: string;
let opened: OpenDatabase;

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Nothing of this process's own settings, so that a command here runs as on a new machine; with what Node made of the
 * TypeScript already, as `bin/bestow.js` has it: half of a command's processor time.
 */
export const commandEnvironment = () => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
});

/** @param isRead false: its standard output is a pipe whose reader is gone */
export function bestow(
  args: string[],
  { input = '', variables = {} as Record<string, string>, isRead = true } = {},
): Promise<Outcome> {
  const env = { ...commandEnvironment(), DATA_DIR: dataDir, ...variables };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: 'pipe' });
  const outcome = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    outcome.stdout += text;
  });
  if (!isRead) child.stdout.destroy();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    outcome.stderr += text;
  });
  // A command that reads no input may be gone before it is written.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...outcome }));
  });
}

/** The JSON that a command prints, which must be all that it prints. */
// biome-ignore lint/suspicious/noExplicitAny: the results of all commands
export async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await bestow([...args, '--json']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
  return JSON.parse(stdout);
}

/** One sentence on standard error, exit code 1, and nothing else. */
export async function assertRefused(
  pattern: RegExp,
  args: string[],
  more: Parameters<typeof bestow>[1] = {},
): Promise<void> {
  const { code, stdout, stderr } = await bestow(args, more);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, args.join(' '));
  assert.match(stderr, pattern);
  assert.match(stderr, /^[^\n]+\.\n$/);
}

/** To be called once in a test file, whose commands then work on a data directory that is there until its end. */
export function openCommandLine(): { target(): ConnectionTarget; dataDir(): string } {
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'bestow-commands-'));
    // The first command on a new machine makes its database itself; the others find it running.
    const migrated = await json('migrate');
    assert.equal(migrated.up_to_date, true);
    opened = await openDatabase({ databaseUrl: undefined, dataDir }, 'command');
  });

  after(async () => {
    await opened?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  return { target: () => opened.target, dataDir: () => dataDir };
}
