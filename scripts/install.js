// Runs before `npm start`, `npm test` and others, on whatever Node the machine has (20 or later), so: plain JavaScript, no dependency.
// It installs from the lockfile when that is newer than what is installed, and does nothing (a few milliseconds) otherwise.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this list last: what was interrupted half-way is not in it.
const installed = `${modules}/.package-lock.json`;
const isCurrent = modifiedAt(installed) >= modifiedAt(`${root}package-lock.json`);
const hasDevelopment = existsSync(installed) && readFileSync(installed, 'utf8').includes('"node_modules/typescript"');
const wantsDevelopment = hasDevelopment || process.argv.includes('--with-development');

if (isCurrent && hasDevelopment === wantsDevelopment) linkNode();
else {
  process.stderr.write('Installing dependencies, once …\n');
  await install();
  linkNode();
  keepCompiled();
}
if (process.argv.includes('--with-portal')) buildPortal();

async function install() {
  // `npm ci` empties node_modules first, which would pull the files from under a server that runs from the same checkout;
  // so what is missing is added where something is installed already. `--no-save` leaves the lockfile as it is.
  const command = isCurrent ? ['install', '--no-save'] : ['ci'];
  const flags = ['--loglevel=error', '--no-audit', '--no-fund', wantsDevelopment ? '--include=dev' : '--omit=dev'];
  // NODE_ENV=production would leave the development dependencies out whatever the flags say; `npm pack --workspace` hands its
  // workspace on to what it runs, and nothing else would be installed.
  const environment = { ...process.env, NODE_ENV: undefined, npm_config_workspace: undefined };
  const installation = spawn('npm', [...command, ...flags], { cwd: root, stdio: ['ignore', 2, 2], env: environment });
  // Whoever stops this stops what it started.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => installation.kill(name));
  const [status, signal] = await once(installation, 'exit').catch(({ message }) => {
    process.stderr.write(`npm cannot be run (${message}).\n`);
    return [1];
  });
  if (signal) process.exit(1);
  if (status !== 0) {
    process.stderr.write('The installation failed; what npm printed above says why.\n');
    process.exit(1);
  }
}

/** npm 10 takes this link away again with the packages of the other platforms, because their program has the same name. */
function linkNode() {
  const link = `${modules}/.bin/node`;
  const name = readdirSync(modules).find((module) => /^node-(?:bin-)?(?:linux|darwin)-/.test(module));
  if (name === undefined || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(`../${name}/bin/node`, link);
}

/** Compiles the server now, so that already its first start does without Node's TypeScript compiler and its 27 MB. */
function keepCompiled() {
  // The directory that server/bin/bestow.js uses. Where this fails, the first start compiles.
  const environment = { ...process.env, NODE_COMPILE_CACHE: `${modules}/.cache/bestow` };
  // `serve.ts` is loaded by hand, because the help text alone needs none of it.
  const load = ['--import', './server/src/process/serve.ts', 'server/bin/bestow.js', '--help'];
  spawnSync('node_modules/.bin/node', load, { cwd: root, stdio: 'ignore', env: environment });
}

/** A few milliseconds where it is built already. The Node that runs this file may be too old for what builds it. */
function buildPortal() {
  const { status } = spawnSync('node_modules/.bin/node', ['scripts/build-portal.js'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  process.stderr.write('The portal could not be built; what is printed above says why.\n');
  process.exit(1);
}
