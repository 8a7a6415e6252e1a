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

/** The programs that other runtimes than Node are; undefined for one that has none for this machine. */
export function runtimePrograms(): { bun: string | undefined; deno: string | undefined } {
  const modules = installRuntimes();
  const found = (path: string) => (existsSync(join(modules, path)) ? join(modules, path) : undefined);
  return { bun: found('@oven/bun-linux-x64/bin/bun'), deno: found('@deno/linux-x64-glibc/deno') };
}
