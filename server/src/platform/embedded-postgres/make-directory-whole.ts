import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../base/error-code.ts';

/** Directories that this process is filling now. */
const underWay = new Set<string>();

/**
 * Fills a directory under a temporary name and then renames it, so that it is never incomplete. Of two processes the first
 * wins. Removes what a killed process has left. The parent must exist; a non-empty `target` stays as it is.
 */
export async function makeDirectoryWhole(target: string, fill: (directory: string) => Promise<void>): Promise<void> {
  const parent = dirname(target);
  const prefix = `${basename(target)}.new-`;
  await removeAbandoned(parent, prefix);
  const temporary = join(parent, `${prefix}${process.pid}-${randomUUID()}`);
  // Before `mkdir`: another call in this process removes directories with its process id that are not listed.
  underWay.add(temporary);
  try {
    await mkdir(temporary, { mode: 0o700 });
    await fill(temporary);
    await rename(temporary, target).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    });
    // Otherwise a power failure could undo the rename after data was written there.
    await flushDirectory(parent);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    underWay.delete(temporary);
  }
}

async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, digits] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : [];
    if (digits === undefined) continue;
    const path = join(parent, name);
    const pid = Number(digits);
    // In a container every start may have the same process id, so this id may be of an earlier start.
    const inUse = pid === process.pid ? underWay.has(path) : isAlive(pid);
    if (!inUse) await removeUnderWriter(path);
  }
}

/** Programs of the killed process may still write there. If they write for long, the next start removes the directory. */
async function removeUnderWriter(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }).catch(() => undefined);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function flushDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
