import { execFile } from 'node:child_process';
import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, errorMessage } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { noteChange } from './changes-of-root.ts';
import { isPostgresAlive, readLockedPid } from './lock-file.ts';

/** The user that PostgreSQL runs as, and Bestow if root has started it. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

export interface Owner {
  account: Account;
  /** A user other than root controls the path, so root must not change anything there. */
  isForeign: boolean;
}

/** The user for data that belongs to root. Other programs may share `nobody`. */
const DEDICATED = 'bestow';
/** The user of earlier releases. */
export const SHARED_UID = 65534;
const MOST_LINKS = 40;

/**
 * Chooses the user that root runs a data directory's PostgreSQL as: the first other user who owns a directory or link on
 * the way to it, or the owner of the PostgreSQL data in it, or `bestow`, which is created if it is missing.
 */
export async function chooseAccount(dataDir: string): Promise<Owner> {
  if (process.platform !== 'linux')
    throw new OperatorError(
      'The embedded PostgreSQL cannot run as root on this system; start Bestow as an ordinary user, or set DATABASE_URL.',
    );
  const foreign = await findForeignOwner(dataDir);
  if (foreign !== undefined) return { account: await accountOf(foreign), isForeign: true };
  const directory = join(dataDir, 'postgres');
  const owner = await lstatIfThere(directory);
  if (owner && !owner.isDirectory()) throw notADirectory(directory);
  const isKept = owner !== undefined && owner.uid !== 0 && (owner.uid !== SHARED_UID || (await isRunning(directory)));
  return { account: isKept ? await accountOf(owner.uid) : await dedicatedAccount(), isForeign: false };
}

export const notADirectory = (path: string) =>
  new OperatorError(`${path} must be a directory: root follows no link there. Move the data itself there.`);

export async function isRunning(directory: string): Promise<boolean> {
  return isPostgresAlive((await readLockedPid(directory)) ?? 0);
}

/** Returns the user id of the first owner other than root on the way to a path, links included. */
async function findForeignOwner(path: string): Promise<number | undefined> {
  let reached = '/';
  let rest = path.split('/').filter((name) => name !== '');
  for (let links = 0; links <= MOST_LINKS; ) {
    const [name, ...others] = rest;
    if (name === undefined) return undefined;
    const next = join(reached, name);
    const entry = await lstatIfThere(next);
    if (entry === undefined) return undefined;
    if (entry.uid !== 0) return entry.uid;
    rest = others;
    if (entry.isSymbolicLink()) {
      links += 1;
      rest = [
        ...resolve(reached, await readlink(next))
          .split('/')
          .filter(Boolean),
        ...others,
      ];
      reached = '/';
    } else reached = next;
  }
  throw new OperatorError(`DATA_DIR ${path} cannot be used (ELOOP); name a directory.`);
}

export const lstatIfThere = (path: string) =>
  lstat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw new OperatorError(`${path} cannot be read (${errorCode(error)}).`);
  });

const run = promisify(execFile);

async function findUser(key: string): Promise<Account | undefined> {
  const { stdout } = await run('getent', ['passwd', key]).catch(() => ({ stdout: '' }));
  const [name, , uid, gid] = stdout.split(':');
  return name ? { name, uid: Number(uid), gid: Number(gid) } : undefined;
}

/** Names a user that has no name, such as the owner of a directory that a container shares with its host. */
async function accountOf(uid: number): Promise<Account> {
  return (await findUser(`${uid}`)) ?? (await makeUser(`${DEDICATED}-${uid}`, ['--uid', `${uid}`]));
}

const dedicatedAccount = async () => (await findUser(DEDICATED)) ?? (await makeUser(DEDICATED, []));

const MAKE_ATTEMPTS = 20;
const MAKE_PAUSE_MS = 100;

/** `initdb` and the authentication of PostgreSQL need a user with a name. */
async function makeUser(name: string, options: string[]): Promise<Account> {
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', ...options, name];
  for (let attempt = 1; ; attempt += 1) {
    const failure = await run('useradd', args).then(() => undefined, errorMessage);
    const made = await findUser(name);
    if (made) {
      if (failure === undefined) noteChange(`made the user ${name}`);
      return made;
    }
    if (attempt === MAKE_ATTEMPTS)
      throw new OperatorError(
        `Started as root, Bestow needs the user ${name}, who cannot be made; run useradd ${args.join(' ')}, or start Bestow as an ordinary user (${failure?.trim().replaceAll('\n', ' ')}).`,
      );
    // Another process may be making a user now.
    await sleep(MAKE_PAUSE_MS);
  }
}

/** Whether the modes of the path and its parent directories let the user read it. */
export async function mayReach({ uid, gid }: Account, path: string): Promise<boolean> {
  for (let each = path; ; each = dirname(each)) {
    const entry = await lstatIfThere(each);
    const bits = each === path && !entry?.isDirectory() ? 4 : 1;
    const shift = entry?.uid === uid ? 6 : entry?.gid === gid ? 3 : 0;
    if (entry !== undefined && ((entry.mode >> shift) & bits) === 0) return false;
    if (each === dirname(each)) return true;
  }
}
