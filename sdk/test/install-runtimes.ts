import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (name: string) => fileURLToPath(new URL(`runtimes/${name}`, import.meta.url));
/** Kept between runs; git ignores it. */
const CACHE = here('../../../node_modules/.cache/runtimes');

/** Installs the runtimes of package.json, once for each lock file. @returns their folder of modules */
export function installRuntimes(): string {
  const lock = readFileSync(here('package-lock.json'), 'utf8');
  const mark = join(CACHE, 'installed');
  mkdirSync(CACHE, { recursive: true });
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(here(name), join(CACHE, name));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], { cwd: CACHE });
    writeFileSync(mark, lock);
  }
  return join(CACHE, 'node_modules');
}

const found = (path: string) => [join(installRuntimes(), path)].find(existsSync);

/** The programs of other runtimes; undefined for one that has none for this machine. */
export const runtimePrograms = () => ({
  bun: found('@oven/bun-linux-x64/bin/bun'),
  deno: found('@deno/linux-x64-glibc/deno'),
});

/** Each version of Node that is found, and the one that runs this. */
export const nodeVersions = () => [
  ...['20', '22', '24'].flatMap((version) => found(`node-${version}/bin/node`) ?? []),
  process.execPath,
];
