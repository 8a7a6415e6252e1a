// Builds the portal and the operator's page into portal/dist, and the clients there, if the sources have changed. Runs on
// the Node of the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { builtPortal, hashSources, isPortalCurrent, portalDirectory, stampOf } from './portal-sources.js';

if (!isPortalCurrent()) await build();

async function build() {
  const sources = hashSources();
  // Built beside dist and renamed: a running server never sees half a build.
  const draft = join(portalDirectory, `dist.${process.pid}`);
  const sdks = `${draft}.sdk`;
  await Promise.all([buildSdks(sdks), buildPages(draft)]);
  await rename(sdks, join(draft, 'sdk'));
  await writeFile(stampOf(draft), sources);
  await rm(builtPortal, { recursive: true, force: true });
  await rename(draft, builtPortal);
}

/** In a process of its own, so that both cores work. */
async function buildSdks(folder) {
  const program = fileURLToPath(new URL('build-sdks.js', import.meta.url));
  const [status] = await once(spawn(process.execPath, [program, folder], { stdio: ['ignore', 'ignore', 2] }), 'exit');
  if (status !== 0) throw new Error('The clients could not be built.');
}

async function buildPages(draft) {
  const { build: viteBuild } = await import('vite');
  await viteBuild({ root: portalDirectory, logLevel: 'warn', build: { outDir: draft, emptyOutDir: true } });
  // A build of its own, so that members load nothing of the operator's page.
  await viteBuild({
    root: join(portalDirectory, 'operator'),
    logLevel: 'warn',
    build: { outDir: join(draft, 'operator'), emptyOutDir: true },
  });
  const files = globSync('{,operator/}assets/*.{js,css,svg}', { cwd: draft });
  await Promise.all(files.map((file) => compress(join(draft, file))));
}

/** Compresses once, at the highest level, in Node's threads. */
async function compress(path) {
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then((packed) => writeFile(`${path}.br`, packed)),
    promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ]);
}
