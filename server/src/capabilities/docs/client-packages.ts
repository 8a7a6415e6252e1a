import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BestowError } from '../../platform/base/errors.ts';
import { type Asset, asset } from '../../platform/pages/asset-reply.ts';

/** The newest client of TypeScript, without its version: `npm install ADDRESS/sdk.tgz`. */
const NEWEST = '/sdk.tgz';
/** The build of the portal makes it (scripts/build-sdks.js). */
const BUILT = fileURLToPath(new URL('../../../../portal/dist/sdk/', import.meta.url));
const CACHE_CONTROL = 'public, max-age=300';

/** By the ends of names. */
const TYPES: Record<string, string> = {
  '.tgz': 'application/gzip',
  '.gz': 'application/gzip',
  '.whl': 'application/zip',
  '.zip': 'application/zip',
  '.info': 'application/json',
};
const typeOf = (name: string) =>
  Object.entries(TYPES).find(([end]) => name.endsWith(end))?.[1] ?? 'text/plain; charset=utf-8';

let read: Promise<ReadonlyMap<string, Asset>> | undefined;

/** Every file that customers install, by its path. */
async function readPackages(): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(BUILT, { recursive: true, withFileTypes: true }).catch(() => []);
  const packages = new Map<string, Asset>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const found = asset(await readFile(file), { contentType: typeOf(entry.name), cacheControl: CACHE_CONTROL });
    packages.set(`/sdk/${relative(BUILT, file)}`, found);
    if (entry.name.endsWith('.tgz')) packages.set(NEWEST, found);
  }
  return packages;
}

/**
 * A file that customers install: `/sdk.tgz`, or one of `/sdk/` with its version in its name.
 *
 * @throws BestowError `resource_missing` if no file has the name, or the portal is not built
 */
export async function clientPackage(path: string): Promise<Asset> {
  read ??= readPackages();
  const packages = await read;
  // Built meanwhile.
  if (packages.size === 0) read = undefined;
  const found = packages.get(path);
  if (found === undefined) throw new BestowError('resource_missing');
  return found;
}
