import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute } from './installed-package.ts';
import { keptFolder } from './kept-folder.ts';

const here = (name: string) => fileURLToPath(new URL(`runtimes/${name}`, import.meta.url));

/** Installs the runtimes of package.json. @returns their folder of modules */
export async function installRuntimes(): Promise<string> {
  const lock = await readFile(here('package-lock.json'), 'utf8');
  const folder = await keptFolder('runtimes', lock, async (draft) => {
    for (const name of ['package.json', 'package-lock.json']) await copyFile(here(name), join(draft, name));
    const install = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await execute('npm', install, { cwd: draft });
  });
  return join(folder, 'node_modules');
}

/** The programs of other runtimes; undefined for one that has none for this machine. */
export async function runtimePrograms() {
  const modules = await installRuntimes();
  const found = (path: string) => [join(modules, path)].find(existsSync);
  const nodes = ['20', '22', '24'].flatMap((version) => found(`node-${version}/bin/node`) ?? []);
  return {
    bun: found('@oven/bun-linux-x64/bin/bun'),
    deno: found('@deno/linux-x64-glibc/deno'),
    /** Each version of Node that is found, and the one that runs this. */
    nodes: [...nodes, process.execPath],
  };
}
