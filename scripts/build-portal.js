// Builds the portal and the operator's page into portal/dist, and the clients there, if the sources have changed. Runs on the Node that
// npm installed.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSdks, sdkSources } from './build-sdks.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const portal = join(root, 'portal');
const dist = join(portal, 'dist');
const stamp = join(dist, '.sources');

/** Compares content, because a checkout changes file times. */
function hashSources() {
  const hash = createHash('sha256');
  const files = [
    'package.json',
    'index.html',
    'vite.config.ts',
    ...globSync(['src/**/*.*', 'operator/*.*'], { cwd: portal }).sort(),
  ];
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(portal, file)));
  for (const file of [...sdkSources(), join(root, 'scripts/build-sdks.js')]) hash.update(readFileSync(file));
  for (const file of globSync('readers/src/*.ts', { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  return hash.digest('hex');
}

const sources = hashSources();
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
if (!isCurrent) await build();

async function build() {
  process.stderr.write('Building the portal (about 5 seconds) …\n');
  const { build: viteBuild } = await import('vite');
  // Built beside dist and renamed: a running server never sees half a build.
  const draft = join(portal, `dist.${process.pid}`);
  await viteBuild({ root: portal, logLevel: 'warn', build: { outDir: draft, emptyOutDir: true } });
  // A build of its own, so that members load nothing of the operator's page.
  await viteBuild({
    root: join(portal, 'operator'),
    logLevel: 'warn',
    build: { outDir: join(draft, 'operator'), emptyOutDir: true },
  });
  for (const file of globSync('{,operator/}assets/*.{js,css,svg}', { cwd: draft })) compress(join(draft, file));
  await buildSdks(join(draft, 'sdk'));
  writeFileSync(join(draft, '.sources'), sources);
  rmSync(dist, { recursive: true, force: true });
  renameSync(draft, dist);
}

/** Compresses once, at the highest level. */
function compress(path) {
  const content = readFileSync(path);
  const options = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  };
  writeFileSync(`${path}.br`, brotliCompressSync(content, options));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
