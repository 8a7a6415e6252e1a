import { constants } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../base/make-directories.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Config } from '../configuration/config.ts';
import { type Account, chooseAccount, isRunning, mayReach, SHARED_UID } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { noteChange } from './changes-of-root.ts';
import { requireCluster } from './cluster.ts';
import { handOver } from './hand-over.ts';

/** What Bestow keeps in DATA_DIR. The root of a volume has `lost+found`. */
const OURS = /^(?:postgres|link-secret|demo-(?:live|sandbox)-key|lost\+found$)/;

/**
 * Makes a process that root started one of the data's user, before it touches DATA_DIR, so that its owner gains
 * nothing from root. The process stays root if DATA_DIR or the program is where only root may go.
 *
 * @returns the reason why the process stays root, as a sentence
 * @throws OperatorError if another user owns the data and may not read the program
 */
export async function leaveRoot(
  { databaseUrls, dataDir }: Pick<Config, 'databaseUrls' | 'dataDir'>,
  { creates = false }: { creates?: boolean } = {},
): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || databaseUrls.length > 0) return undefined;
  if (!creates) await requireCluster(dataDir);
  const { account, isForeign } = await chooseAccount(dataDir);
  const unreadable = await findUnreadable(account);
  if (isForeign) {
    if (unreadable !== undefined)
      throw new OperatorError(
        `DATA_DIR ${dataDir} belongs to the user ${account.name}, who may not read ${unreadable}; put the checkout where that user may read it.`,
      );
  } else {
    const closed = unreadable ?? ((await mayReach(account, await makeParent(dataDir))) ? undefined : dataDir);
    if (closed !== undefined)
      return `This process stays root, because the user ${account.name} may not reach ${closed}.`;
    if (account.uid === SHARED_UID)
      return 'This process stays root, because PostgreSQL of an earlier release runs on its data; stop all processes of Bestow once.';
    if (!(await giveDataDir(dataDir, account)))
      return `This process stays root, because ${dataDir} is not a directory for Bestow alone.`;
  }
  become(account);
  return undefined;
}

async function findUnreadable(account: Account): Promise<string | undefined> {
  // Makes the missing links of its libraries, for which the user may lack the right.
  const { directory } = await prepareBinaries(false);
  for (const path of [import.meta.filename, process.execPath, join(directory, 'bin/postgres')])
    if (!(await mayReach(account, path))) return path;
  return undefined;
}

async function makeParent(dataDir: string): Promise<string> {
  const parent = dirname(dataDir);
  // Opening the database explains why it cannot be made.
  await makeDirectories(parent).catch(() => undefined);
  return parent;
}

/** Gives a directory that only root could change so far to the user. Returns false if it cannot be one, or holds other files. */
async function giveDataDir(dataDir: string, account: Account): Promise<boolean> {
  await mkdir(dataDir, { mode: 0o700 }).catch(() => undefined);
  const directory = await open(dataDir, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => undefined);
  if (directory === undefined) return false;
  try {
    const names = await readdir(dataDir);
    if (!names.every((name) => OURS.test(name))) return false;
    for (const name of names) {
      const path = join(dataDir, name);
      if (name !== 'postgres' || !(await isRunning(path))) await handOver(path, account);
    }
    if ((await directory.stat()).uid !== account.uid) noteChange(`gave ${dataDir} to the user ${account.name}`);
    await directory.chown(account.uid, account.gid);
    return true;
  } finally {
    await directory.close();
  }
}

function become({ uid, gid, name }: Account): void {
  noteChange(`goes on as the user ${name}`);
  // The user may not write there later.
  module.flushCompileCache();
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
