import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../base/error-code.ts';

/** The process that the data directory's lock file names; 0 for a file without a number, undefined without a file. */
export async function readLockedPid(directory: string): Promise<number | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10) || 0;
}

/** For lock files that name a process which is not PostgreSQL: after a crash another may have got its number. */
export async function removeLockFiles(directory: string): Promise<void> {
  await rm(join(directory, 'postmaster.pid'), { force: true });
  await rm(join(directory, '.s.PGSQL.5432.lock'), { force: true });
}

/** Whether the process lives and is a PostgreSQL; one that ended but was not yet reaped by its parent does not live. */
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
