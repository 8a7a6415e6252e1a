// Builds the portal in a directory of its own, which is removed with its packages: a server needs neither the builder nor
// the packages that the portal is made of.
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPortal, isSource, SOURCES } from './portal-sources.js';
import { runNpm } from './run-npm.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Beside the portal, so that a rename moves the built one. One for each process: two may build at once. */
const PREFIX = '.builder.';
const builder = join(root, `${PREFIX}${process.pid}`);
/** What npm reads beside the sources. */
const MANIFESTS = ['package.json', '.npmrc', 'engines', 'extras', 'server/package.json'];

/** Whether a process was killed that built there. */
function isAbandoned(name) {
  if (!name.startsWith(PREFIX)) return false;
  try {
    process.kill(Number(name.slice(PREFIX.length)), 0);
    return false;
  } catch {
    return true;
  }
}

/** Copies the sources, and installs what builds them. */
export async function installBuilder() {
  for (const name of readdirSync(root))
    if (isAbandoned(name)) rmSync(join(root, name), { recursive: true, force: true });
  process.once('exit', () => rmSync(builder, { recursive: true, force: true }));
  mkdirSync(builder);
  for (const path of MANIFESTS) cpSync(join(root, path), join(builder, path), { recursive: true });
  const filter = (path) => isSource(basename(path));
  for (const path of SOURCES) cpSync(join(root, path), join(builder, path), { recursive: true, filter });
  await runNpm(['ci', '--omit=dev', '--workspace=bestow-portal'], builder);
}

/**
 * Builds there, and moves the portal to its place.
 *
 * @param {(directory: string) => Promise<void>} build
 */
export async function buildInBuilder(build) {
  await build(builder);
  rmSync(builtPortal, { recursive: true, force: true });
  renameSync(join(builder, 'portal/dist'), builtPortal);
}
