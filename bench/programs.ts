import { execFile } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Debian keeps `pgbench` out of the PATH where no cluster was made. */
const MORE_DIRECTORIES = globSync('/usr/lib/postgresql/*/bin');

const isRunnable = (path: string) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a program that is installed, or undefined. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_DIRECTORIES];
  return directories.map((directory) => join(directory, name)).find(isRunnable);
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What it prints. @throws with what it said where it fails */
export async function runProgram(path: string, args: string[], variables: Record<string, string> = {}) {
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(path, args, { env, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout;
}
