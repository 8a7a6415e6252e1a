import { constants } from 'node:fs';
import { type FileHandle, lchown, lstat, open, readdir } from 'node:fs/promises';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Account } from './account.ts';

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Gives a file, or a directory and everything below it, to a user, as root on Linux. Opens each by its parent's descriptor
 * and follows no link, so that nothing outside changes its owner, even if another program moves files in between.
 *
 * @throws OperatorError for a file with a second hard link, which may be elsewhere
 */
export async function handOver(path: string, account: Account): Promise<void> {
  try {
    const entry = await lstat(path);
    if (entry.isDirectory()) await handOverDirectory(path, account);
    else if (entry.isFile()) await handOverFile(path, account);
    // A symbolic link itself, or a socket.
    else await lchown(path, account.uid, account.gid);
  } catch (error) {
    // Another process has removed a temporary file.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

async function handOverDirectory(path: string, account: Account): Promise<void> {
  const directory = await open(path, FLAGS | constants.O_DIRECTORY);
  try {
    const here = `/proc/self/fd/${directory.fd}`;
    for (const name of await readdir(here)) await handOver(`${here}/${name}`, account);
    await directory.chmod(0o700);
    // Last, so that after a kill the next start begins again.
    await directory.chown(account.uid, account.gid);
  } finally {
    await directory.close();
  }
}

async function handOverFile(path: string, account: Account): Promise<void> {
  const file = await open(path, FLAGS);
  try {
    await handOverOpened(file, account);
  } finally {
    await file.close();
  }
}

/** @throws OperatorError if the file has a second hard link */
export async function handOverOpened(file: FileHandle, account: Account): Promise<void> {
  const { nlink, uid, ino } = await file.stat();
  if (uid === account.uid) return;
  if (nlink !== 1)
    throw new OperatorError(
      `A file of DATA_DIR (inode ${ino}) has a second name and keeps its owner; remove the name.`,
    );
  await file.chown(account.uid, account.gid);
}
