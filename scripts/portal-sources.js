// Tells whether the built portal is of the sources that are here. Needs no packages and runs on the machine's Node (20 or
// later): a portal that is current, as in a release, needs no builder.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const portalDirectory = join(root, 'portal');
export const builtPortal = join(portalDirectory, 'dist');

/** What a build reads: files, and folders with all below them. */
export const SOURCES = [
  'package-lock.json',
  'scripts/build-portal.js',
  'scripts/build-sdks.js',
  'scripts/portal-sources.js',
  'readers/package.json',
  'readers/src',
  'sdk',
  'portal/package.json',
  'portal/index.html',
  'portal/vite.config.ts',
  'portal/src',
  'portal/operator',
];
/** What builds, tests and tools leave behind, and the tests. */
const IGNORED = /^(?:node_modules|dist|test|__pycache__|\..+|.+\.egg-info)$/;

/** Whether a build reads the file or folder with this name. */
export const isSource = (name) => !IGNORED.test(name);

function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const names = readdirSync(join(root, path)).filter(isSource);
  return names.sort().flatMap((name) => filesBelow(`${path}/${name}`));
}

/** Compares content, because a checkout changes file times. */
export function hashSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesBelow))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** A build writes the hash of its sources here. */
export const stampOf = (directory) => join(directory, '.sources');

export function isPortalCurrent() {
  const stamp = stampOf(builtPortal);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources();
}
