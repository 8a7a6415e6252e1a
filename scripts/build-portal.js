// Builds the portal and the operator's page into portal/dist, and there the package of the SDK, if the sources have changed. Runs on the Node that
// npm installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const portal = join(root, 'portal');
const sdk = join(root, 'sdk');
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
  const ofSdk = ['build.js', 'package.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md'];
  for (const file of [...ofSdk, ...globSync('src/*.ts', { cwd: sdk }).sort()])
    hash.update(readFileSync(join(sdk, file)));
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
  packSdk(draft);
  writeFileSync(join(draft, '.sources'), sources);
  rmSync(dist, { recursive: true, force: true });
  renameSync(draft, dist);
}

/** Writes the package that customers install from the service: `sdk.tgz`. */
function packSdk(draft) {
  // npm would run the packing's own scripts, which install the tools of development.
  run(process.execPath, [join(sdk, 'build.js')]);
  run('npm', ['pack', sdk, '--ignore-scripts', '--silent', '--pack-destination', draft]);
  const [packed] = globSync('bestow-sdk-*.tgz', { cwd: draft });
  renameSync(join(draft, packed), join(draft, 'sdk.tgz'));
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 2] });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed.`, { cause: error });
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
