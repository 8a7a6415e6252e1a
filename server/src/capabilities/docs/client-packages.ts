import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { type Asset, asset } from '../../platform/pages/asset-reply.ts';
import * as queries from './queries.ts';

/** The build of the portal makes it (scripts/build-sdks.js). */
const BUILT = fileURLToPath(new URL('../../../../portal/dist/sdk/', import.meta.url));
const CACHE_CONTROL = 'public, max-age=300';
/** Lists of all versions, generated for each request. */
const SUMS = 'SHA256SUMS';
const GO_LIST = /^(go\/.*\/@v\/)list$/;
const ARCHIVE = /\.(tgz|whl|gz|zip)$/;
const NAME = /^[\w.@/-]{1,200}$/;

/** Of files that have their version in their name, by the end of it. */
const TYPES: Record<string, string> = {
  '.tgz': 'application/gzip',
  '.gz': 'application/gzip',
  '.whl': 'application/zip',
  '.zip': 'application/zip',
  '.info': 'application/json',
  '.mod': 'text/plain; charset=utf-8',
};
const typeOf = (name: string) => Object.entries(TYPES).find(([end]) => name.endsWith(end))?.[1];

type PackageDeps = Pick<Deps, 'database' | 'clock' | 'log'>;

/** The files of this release by their path below `/sdk/`; none if the portal is not built. */
async function readBuilt(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file)] as const)));
}

interface ClientPackages {
  /**
   * A file below `/sdk/`: a package with its version in its name, as this installation first served it, a changelog or a
   * list of all versions.
   *
   * @throws BestowError `resource_missing` if no file has the name, or the portal is not built
   */
  find(name: string): Promise<Asset>;
  /** The package of this release for npm. @throws as `find` */
  newest(): Promise<Asset>;
}

/**
 * What customers install: the packages of this release, and those of every release that this installation has served. They
 * are kept in the database when the first of them is asked for.
 *
 * @param folder of the packages of this release
 */
export function createClientPackages({ database, clock, log }: PackageDeps, folder = BUILT): ClientPackages {
  let read: Promise<ReadonlyMap<string, Buffer>> | undefined;

  /** The release's files, the packages among them as they were first served. */
  async function keepBuilt(): Promise<ReadonlyMap<string, Buffer>> {
    const files = new Map(await readBuilt(folder));
    const now = new Date(clock.now());
    for (const [name, content] of files) {
      if (typeOf(name) === undefined) continue;
      await queries.keepPackage(database.home, [name, content, now]);
      const first = (await select(name)) ?? content;
      if (!first.equals(content))
        log.warn({ name }, 'This package was served with other content and keeps it. Raise its version.');
      files.set(name, first);
    }
    return files;
  }

  async function ofRelease(): Promise<ReadonlyMap<string, Buffer>> {
    read ??= keepBuilt();
    const files = await read.catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    // The portal may be built later.
    if (files.size === 0) read = undefined;
    return files;
  }

  async function select(name: string): Promise<Buffer | undefined> {
    const [row] = await queries.selectPackage(database.home, [name]);
    return row?.content;
  }

  /** The names and hashes of the archives of all versions. */
  async function listArchives() {
    const rows = await queries.selectPackageNames(database.home, []);
    return rows.filter(({ name }) => ARCHIVE.test(name));
  }

  async function contentOf(name: string): Promise<Buffer | undefined> {
    const files = await ofRelease();
    if (!files.has(name)) return typeOf(name) !== undefined && NAME.test(name) ? select(name) : undefined;
    if (name === SUMS) return listOf(await listArchives(), (archive) => `${archive.sha256}  ${archive.name}`);
    const [, goPlace] = GO_LIST.exec(name) ?? [];
    if (goPlace === undefined) return files.get(name);
    const versions = (await listArchives()).filter((archive) => archive.name.startsWith(goPlace));
    return listOf(versions, (archive) => archive.name.slice(goPlace.length, -'.zip'.length));
  }

  async function find(name: string): Promise<Asset> {
    const content = await contentOf(name);
    if (content === undefined) throw new BestowError('resource_missing');
    const contentType = typeOf(name) ?? 'text/plain; charset=utf-8';
    return asset(content, { contentType, cacheControl: CACHE_CONTROL });
  }

  return {
    find,
    async newest() {
      const npmPackage = [...(await ofRelease()).keys()].find((name) => name.endsWith('.tgz'));
      if (npmPackage === undefined) throw new BestowError('resource_missing');
      return find(npmPackage);
    },
  };
}

const listOf = <Row>(rows: readonly Row[], line: (row: Row) => string) =>
  Buffer.from(rows.map((row) => `${line(row)}\n`).join(''));
