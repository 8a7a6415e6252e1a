// Installs dependencies if the lockfile is newer than the installation. Is `npm run setup`, and runs before `npm start`,
// on the machine's Node (20 or later), so it is plain JavaScript without dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this list last, so an interrupted installation does not have it.
const installed = `${modules}/.package-lock.json`;
const isCurrent = modifiedAt(installed) >= modifiedAt(`${root}package-lock.json`);
const hasDevelopment = existsSync(installed) && readFileSync(installed, 'utf8').includes('"node_modules/typescript"');
const wantsDevelopment = hasDevelopment || process.argv.includes('--with-development');

if (isCurrent && hasDevelopment === wantsDevelopment) linkNode();
else {
  const next = process.argv.includes('--with-portal') ? ', then the portal is built in 5 seconds' : '';
  process.stderr.write(`Installing packages, once: 30 to 60 seconds${next} …\n`);
  await install();
  linkNode();
  keepCompiled();
}
if (process.argv.includes('--with-portal')) buildPortal();

async function install() {
  // `npm ci` empties node_modules, which would break a server that runs from this checkout. If something is installed,
  // only missing packages are added. `--no-save` keeps the lockfile.
  const command = isCurrent ? ['install', '--no-save'] : ['ci'];
  const flags = [
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    wantsDevelopment ? '--include=dev' : '--omit=dev',
  ];
  // NODE_ENV=production would override the flags. `npm pack --workspace` passes its workspace on, and npm would install
  // only that.
  const environment = { ...process.env, NODE_ENV: undefined, npm_config_workspace: undefined };
  const installation = spawn('npm', [...command, ...flags], { cwd: root, stdio: ['ignore', 2, 2], env: environment });
  // Passes signals on to npm.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => installation.kill(name));
  const [status, signal] = await once(installation, 'exit').catch(({ message }) => {
    process.stderr.write(`Cannot run npm (${message}).\n`);
    return [1];
  });
  if (signal) process.exit(1);
  if (status !== 0) {
    process.stderr.write('The installation failed; see the output of npm above.\n');
    process.exit(1);
  }
}

/** Restores a link that npm 10 removes together with the packages of other platforms. */
function linkNode() {
  const link = `${modules}/.bin/node`;
  const name = readdirSync(modules).find((module) => /^node-(?:bin-)?(?:linux|darwin)-/.test(module));
  if (name === undefined || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(`../${name}/bin/node`, link);
}

/** Compiles the server now, so that its first start does not load the TypeScript compiler (27 MB). */
function keepCompiled() {
  // The same directory as in server/bin/bestow.js. If this fails, the first start compiles.
  const environment = { ...process.env, NODE_COMPILE_CACHE: `${modules}/.cache/bestow` };
  // The help text alone would not load `serve.ts`.
  const load = ['--import', './server/src/surfaces/process/serve.ts', 'server/bin/bestow.js', '--help'];
  spawnSync('node_modules/.bin/node', load, { cwd: root, stdio: 'ignore', env: environment });
}

/** Uses the Node of node_modules; the machine's Node may be too old for Vite. */
function buildPortal() {
  const { status } = spawnSync('node_modules/.bin/node', ['scripts/build-portal.js'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  process.stderr.write('The portal could not be built; see the output above.\n');
  process.exit(1);
}
