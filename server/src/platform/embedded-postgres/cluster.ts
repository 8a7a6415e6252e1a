import { spawn } from 'node:child_process';
import { access, chmod, constants, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorMessage } from '../base/error-code.ts';
import { makeDirectories } from '../base/make-directories.ts';
import { OperatorError } from '../base/operator-error.ts';
import { type Account, chooseAccount, isRunning, lstatIfThere, notADirectory, type Owner } from './account.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { noteChange } from './changes-of-root.ts';
import { handOver } from './hand-over.ts';
import { makeDirectoryWhole } from './make-directory-whole.ts';

/** The embedded PostgreSQL's data, ready to be started. */
export interface Cluster {
  dataDir: string;
  /** PostgreSQL's own data directory, in `dataDir`. */
  directory: string;
  logPath: string;
  binaries: Binaries;
  /** Undefined if PostgreSQL runs as this process's user. */
  account: Account | undefined;
}

export const DATABASE_NAME = 'bestow';
/** The superuser. It needs no password, because PostgreSQL asks the kernel which user opens the socket. */
export const USER_NAME = 'bestow';
/** The service's role: it owns nothing and adds to the ledger and the audit log only. */
export const SERVICE_USER_NAME = 'bestow_service';

const PROGRAM_LIMIT_MS = 120_000;

/**
 * Prepares the cluster in `dataDir`; `creates` makes the missing directory and cluster.
 *
 * @throws OperatorError if the cluster is missing, or if the directory, its files or this platform cannot be used
 */
export async function prepareCluster(dataDir: string, creates: boolean): Promise<Cluster> {
  const directory = join(dataDir, 'postgres');
  // Before anything is created there.
  if (!creates) await requireCluster(dataDir);
  const owner = process.getuid?.() === 0 ? await chooseAccount(dataDir) : undefined;
  if (owner?.isForeign !== true) await prepareDataDir(dataDir);
  if (owner === undefined) await refuseOthersData(directory);
  const account = owner?.account;
  const binaries = await prepareBinaries(account !== undefined);
  const cluster = { dataDir, directory, logPath: join(dataDir, 'postgres.log'), binaries, account };
  try {
    if (!(await isFilled(directory))) {
      if (!creates) throw nothingIn(dataDir);
      if (owner?.isForeign)
        throw new OperatorError(`Root makes no data in ${dataDir}, which belongs to ${owner.account.name}.`);
      await makeDirectoryWhole(directory, (path) => fillCluster(cluster, path));
    }
    await refuseOtherVersion(cluster);
    await takeOver(directory, owner);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The embedded PostgreSQL cannot keep its data in ${directory}: ${errorMessage(error)}.`);
  }
  return cluster;
}

/** @throws OperatorError if the directory of PostgreSQL's data is missing */
export async function requireCluster(dataDir: string): Promise<void> {
  if ((await statIfThere(join(dataDir, 'postgres'))) === undefined) throw nothingIn(dataDir);
}

async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeDirectories(dataDir, 0o700);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    // `access` also accepts a file.
    await readdir(dataDir);
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be used (${errorCode(error)}); name a directory that this user (${process.getuid?.()}) may write to.`,
    );
  }
}

const statIfThere = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new OperatorError(`${path} cannot be read (${errorCode(error)}).`);
  });

/** An ordinary user runs PostgreSQL as itself. */
async function refuseOthersData(directory: string): Promise<void> {
  const uid = process.getuid?.();
  const owner = await statIfThere(directory);
  if (owner && owner.uid !== uid)
    throw new OperatorError(
      `${directory} belongs to user ${owner.uid}, not to this one (${uid}); start Bestow as that user or as root, or set another DATA_DIR.`,
    );
}

const nothingIn = (dataDir: string) =>
  new OperatorError(
    `DATA_DIR ${dataDir} holds no data of Bestow; correct DATA_DIR, or let bestow migrate or bestow serve make a new database there.`,
  );

const isFilled = async (directory: string) =>
  (await statIfThere(directory)) !== undefined && (await readdir(directory)).length > 0;

async function fillCluster(cluster: Cluster, directory: string): Promise<void> {
  if (cluster.account) await lchown(directory, cluster.account.uid, cluster.account.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initdb = ['--username', USER_NAME, '--auth=peer', ...locale, '--no-instructions'];
  await runProgram(cluster, directory, 'initdb', [...dataArguments(directory), ...initdb]);
  const single = ['--single', ...dataArguments(directory), 'postgres'];
  await runProgram(cluster, directory, 'postgres', single, `create database ${DATABASE_NAME}\n`);
}

/**
 * Returns the arguments for the data directory. On Linux they name the working directory, which is entered before
 * the user changes, so that the user needs no access to the parent directories.
 */
export function dataArguments(directory: string): string[] {
  return ['-D', process.platform === 'linux' ? '/proc/self/cwd' : directory];
}

/** Nothing of the caller's environment (`PGDATA`, `LANG`, `LD_PRELOAD` …) reaches PostgreSQL. */
const postgresEnvironment = { LC_ALL: 'C', TZ: 'UTC' };

/** Returns the user, directory and environment of PostgreSQL's programs, as options of `spawn`. */
export function spawnOptions(cluster: Cluster, directory: string) {
  const { account } = cluster;
  const user = account ? { uid: account.uid, gid: account.gid } : {};
  return { ...user, cwd: directory, env: postgresEnvironment };
}

async function runProgram(
  cluster: Cluster,
  directory: string,
  name: string,
  args: string[],
  input = '',
): Promise<void> {
  await runAsAccount({ ...cluster, directory }, join(cluster.binaries.directory, 'bin', name), args, input);
}

/** Runs a program in the cluster's directory, as the user that PostgreSQL runs as. */
export function runAsAccount(cluster: Cluster, program: string, args: string[], input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(cluster, cluster.directory), timeout: PROGRAM_LIMIT_MS });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-10_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.stdin.on('error', () => {
      // The program ended without reading; `close` reports the reason.
    });
    child.on('error', (error) => reject(cannotRun(program, error)));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new OperatorError(explainFailure(output)));
    });
    child.stdin.end(input);
  });
}

function explainFailure(output: string): string {
  const complaint = lastComplaint(output);
  const [, nameless] = /could not look up effective user ID (\d+)/.exec(complaint) ?? [];
  return nameless === undefined
    ? `The embedded PostgreSQL could not be set up: ${complaint}.`
    : `The embedded PostgreSQL needs a user with a name, but ${nameless} is not in /etc/passwd; add it there, start Bestow as another user, or set DATABASE_URL.`;
}

export function cannotRun(program: string, error: unknown): OperatorError {
  return new OperatorError(
    `The embedded PostgreSQL does not run here (${errorCode(error)} at ${program}; it needs glibc); run npm ci again, or set DATABASE_URL.`,
  );
}

/** The line of PostgreSQL's output that says why it gave up, without a full stop. */
export function lastComplaint(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const complaint = lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return complaint.replace(/^.*?\b(FATAL|PANIC|error): +/, '').replace(/\.$/, '');
}

/** Gives data that root has copied or restored to the account again. PostgreSQL requires the mode. */
async function takeOver(directory: string, owner: Owner | undefined): Promise<void> {
  if (owner === undefined) {
    const { mode } = await stat(directory);
    if ((mode & 0o777) !== 0o700) await chmod(directory, 0o700);
    return;
  }
  const entry = await lstatIfThere(directory);
  if (!entry?.isDirectory()) throw notADirectory(directory);
  const { account, isForeign } = owner;
  if (entry.uid === account.uid && (isForeign || (entry.mode & 0o777) === 0o700)) return;
  if (isForeign)
    throw new OperatorError(
      `${directory} does not belong to ${account.name}, who owns a directory above it; run chown -R -h ${account.name} ${directory}.`,
    );
  if (await isRunning(directory)) return;
  if (entry.uid !== account.uid) noteChange(`gave ${directory} to the user ${account.name}`);
  await handOver(directory, account);
}

async function refuseOtherVersion({ directory, binaries }: Cluster): Promise<void> {
  const text = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new OperatorError(
      `${directory} holds files but no PostgreSQL data; move them away, or set another DATA_DIR.`,
    );
  const version = text.trim();
  if (version !== binaries.majorVersion)
    throw new OperatorError(
      `${directory} holds data of PostgreSQL ${version}, but this Bestow brings PostgreSQL ${binaries.majorVersion}; start the Bestow that made it, or set another DATA_DIR.`,
    );
}
