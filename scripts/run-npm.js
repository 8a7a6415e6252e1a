// Runs npm without its output, and explains its failures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { explainNpm } from './explain-npm.js';

/** Every child of this process. */
const children = new Set();
// npm removes what is half installed.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, () => {
    for (const child of children) child.kill(name);
  });

/**
 * Ends the process with the reason, and the other children with it.
 *
 * @returns {Promise<never>}
 * @param {string} reason
 */
export async function fail(reason, output = '') {
  process.stderr.write(`\n${output}${reason}\n`);
  return await endAll();
}

/**
 * Ends the process after its children, which write no more then.
 *
 * @returns {Promise<never>}
 */
export async function endAll() {
  const ended = [...children].map((child) => once(child, 'close').catch(() => undefined));
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ended);
  process.exit(1);
}

/**
 * Starts a program that ends with this one.
 *
 * @param {string} program @param {string[]} args
 */
export function start(program, args, options) {
  const child = spawn(program, args, options);
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

/** @param {string[]} args @param {string} directory with the lockfile */
export async function runNpm([command, ...args], directory) {
  const flags = ['--loglevel=error', '--no-audit', '--no-fund', '--prefer-offline'];
  // NODE_ENV=production would override the flags. `npm pack --workspace` passes its workspace on, and npm would install
  // only that.
  const env = { ...process.env, NODE_ENV: undefined, npm_config_workspace: undefined };
  const installation = start('npm', [command, ...flags, ...args], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  let output = '';
  installation.stderr?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [status, signal] = await once(installation, 'close').catch(({ message }) =>
    fail(`Cannot run npm (${message}).`),
  );
  if (signal) await endAll();
  if (status !== 0) await fail(explainNpm(output), output);
}
