import { execFile } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Debian may keep `pgbench` out of the PATH. */
const MORE_DIRECTORIES = globSync('/usr/lib/postgresql/*/bin');

const isRunnable = (path: string) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Path of an installed program, or undefined. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_DIRECTORIES];
  return directories.map((directory) => join(directory, name)).find(isRunnable);
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a program and returns its output. @throws Error with its standard error if it fails */
export async function runProgram(path: string, args: string[], input = '', variables: Record<string, string> = {}) {
  const env = { ...process.env, ...variables };
  const running = promisify(execFile)(path, args, { env, maxBuffer: MAX_OUTPUT_BYTES });
  running.child.stdin?.on('error', () => undefined).end(input);
  const { stdout } = await running;
  return stdout;
}
