import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../base/error-code.ts';

/** Returns the process id in the data directory's lock file; 0 if the file has none, undefined without a file. */
export async function readLockedPid(directory: string): Promise<number | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10) || 0;
}

/** Removes lock files that name a process other than PostgreSQL, which got the process id after a crash. */
export async function removeLockFiles(directory: string): Promise<void> {
  await rm(join(directory, 'postmaster.pid'), { force: true });
  await rm(join(directory, '.s.PGSQL.5432.lock'), { force: true });
}

/** Whether the process is a PostgreSQL and runs; a zombie does not run. */
export function isPostgresAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    // `12 (postgres) S 1 …`: name and state (`Z` is a zombie).
    const [, name, state] = /\((.*)\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    return name === 'postgres' && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
