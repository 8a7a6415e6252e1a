// Installs what is missing of what the next program needs: Node and PostgreSQL only where the machine has none. Builds the
// portal if it is not built. Is `npm run setup`, and runs before `npm start`, on the machine's Node (20 or later), so it is
// plain JavaScript without dependencies.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewEnough } from '../server/bin/needed-node.js';
import { buildInBuilder, installBuilder } from './builder.js';
import { isPortalCurrent } from './portal-sources.js';
import { fail, runNpm, start } from './run-npm.js';
import { step } from './steps.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
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

const packages = isComplete ? Promise.resolve() : step('Installing packages, once', '20 seconds', install);
await Promise.all([
  packages.then(() => (isComplete ? undefined : keepCompiled())),
  needsPortal ? step('Building the portal', '20 seconds', buildPortal) : undefined,
]);
if (process.env.npm_lifecycle_event === 'prestart' && (!isComplete || needsPortal))
  process.stderr.write('Starting the service: about 3 seconds …\n');

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
  const [status] = await once(start(existsSync(own) ? own : process.execPath, args, { cwd: root, ...options }), 'exit');
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
    if (!isBuilt) fail('The portal could not be built; see the output above.');
  };
  if (wantsDevelopment) return await build(root);
  await installBuilder();
  await buildInBuilder(build);
}
