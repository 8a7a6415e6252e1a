// Installs what is missing of what the next program needs: Node and PostgreSQL only where the machine has none. Builds the
// portal if it is not built: `npm run setup` before it ends, `npm start` beside the service, which is useful without. Runs on
// the machine's Node (20 or later), so it is plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isNewEnough } from '../server/bin/needed-node.js';
import { buildInBuilder, installBuilder } from './builder.js';
import { builtPortal, isPortalCurrent } from './portal-sources.js';
import { endAll, fail, runNpm, start } from './run-npm.js';
import { step } from './steps.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
const LOOK_EVERY_MS = 500;
/** The first start, on a quiet machine. */
const START_TAKES_MS = 8_000;
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isAsked = (flag) => process.argv.includes(flag);

// npm writes this list last, so an interrupted installation does not have it.
const installed = `${modules}/.package-lock.json`;
const isCurrent = modifiedAt(installed) >= modifiedAt(`${root}package-lock.json`);
const list = existsSync(installed) ? readFileSync(installed, 'utf8') : '';
const has = (name) => list.includes(`"node_modules/${name}"`);

const needsPortal = isAsked('--with-portal') && !isPortalCurrent();
const wantsDevelopment = has('typescript') || isAsked('--with-development');
const isOwnNode = existsSync(modules) && realpathSync(process.execPath).startsWith(realpathSync(modules) + sep);
/** Of each workspace with what a setting needs, that setting. `npm run setup` comes before the settings. */
const SETTINGS = { 'bestow-tracing': 'OTEL_EXPORTER_OTLP_ENDPOINT', 'bestow-twilio': 'TWILIO_ACCOUNT_SID' };
const isSet = (name) => isAsked('--with-extras') || Boolean(process.env[SETTINGS[name]]);
const isToldDatabase = Boolean(process.env.DATABASE_URL || process.env.DATABASE_SHARDS);
// What is installed stays: another program may need it.
const wanted = [
  'bestow',
  ...(has('bestow-node') || isOwnNode || !isNewEnough ? ['bestow-node'] : []),
  ...(has('bestow-postgres') || !(isToldDatabase || isAsked('--without-postgres')) ? ['bestow-postgres'] : []),
  ...Object.keys(SETTINGS).filter((name) => has(name) || isSet(name)),
];
const isComplete = isCurrent && wanted.every(has) && has('typescript') === wantsDevelopment;

const isStart = process.env.npm_lifecycle_event === 'prestart';
/** The process of `npm start`, if this one works beside the service. */
const { BESIDE_NPM: npm } = process.env;
if (npm !== undefined) await giveWayTo(Number(npm));

const packages = isComplete ? Promise.resolve() : step('Installing packages, once', '15 seconds', install);
if (isStart) {
  await packages;
  // The service reads the portal once: not that of other sources.
  if (needsPortal) rmSync(builtPortal, { recursive: true, force: true });
  if (!isComplete || needsPortal) finishBesideService();
  if (!isComplete) process.stderr.write('Starting the service: about 8 seconds …\n');
} else {
  await Promise.all([
    packages.then(() => (isComplete ? undefined : keepCompiled())),
    needsPortal ? step('Building the portal', '20 seconds', buildPortal) : undefined,
  ]);
  if (npm !== undefined) await keepCompiled();
}

/** Does the rest in a process that ends with `npm start`. */
function finishBesideService() {
  const env = { ...process.env, npm_lifecycle_event: '', BESIDE_NPM: String(process.ppid) };
  const program = fileURLToPath(import.meta.url);
  spawn(process.execPath, [program, '--with-portal'], { cwd: root, env, stdio: ['ignore', 'ignore', 2] }).unref();
}

/** Leaves the processors to the service, which starts first, and ends with it. @param {number} service */
async function giveWayTo(service) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const look = () => {
    try {
      process.kill(service, 0);
    } catch {
      void endAll();
    }
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  await wait(START_TAKES_MS);
}

async function install() {
  // `npm ci` empties node_modules, which would break a server that runs from this checkout. If something is installed,
  // only missing packages are added. `--no-save` keeps the lockfile.
  const command = isCurrent ? ['install', '--no-save'] : ['ci'];
  const parts = wantsDevelopment ? ['--include=dev'] : ['--omit=dev', ...wanted.map((name) => `--workspace=${name}`)];
  await runNpm([...command, ...parts], root);
  linkNode();
}

/** Restores a link that npm 10 removes together with the packages of other platforms. */
function linkNode() {
  const link = `${modules}/.bin/node`;
  const name = readdirSync(modules).find((module) => /^node-(?:bin-)?(?:linux|darwin)-/.test(module));
  if (name === undefined || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(`../${name}/bin/node`, link);
}

/** Runs a program on the Node of the service: that of node_modules, unless the machine's is new enough. */
async function run(args, options) {
  const own = `${modules}/.bin/node`;
  const child = start(existsSync(own) ? own : process.execPath, args, { cwd: root, ...options });
  const [status, signal] = await once(child, 'exit');
  if (signal) await endAll();
  return status === 0;
}

/** Compiles the server now, so that its first start does not load the TypeScript compiler (27 MB). */
async function keepCompiled() {
  // The same directory as in server/bin/bestow.js. If this fails, the first start compiles.
  const environment = { ...process.env, NODE_COMPILE_CACHE: `${modules}/.cache/bestow` };
  // The help text alone would not load `serve.ts`.
  const load = ['--import', './server/src/surfaces/process/serve.ts', 'server/bin/bestow.js', '--help'];
  await run(load, { stdio: 'ignore', env: environment });
}

async function buildPortal() {
  const build = async (directory) => {
    await packages;
    const isBuilt = await run(['scripts/build-portal.js'], { cwd: directory, stdio: ['ignore', 2, 2] });
    if (!isBuilt) await fail('The portal could not be built; see the output above.');
  };
  if (wantsDevelopment) return await build(root);
  await installBuilder();
  await buildInBuilder(build);
}
