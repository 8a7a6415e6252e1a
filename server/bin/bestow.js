#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewEnough } from './needed-node.js';
import { stopWithParent } from './stop-with-parent.js';

/** The nearest Node that npm installed above this file. Only npm puts it in the PATH. */
function findInstalledNode() {
  for (let directory = import.meta.dirname ?? dirname(fileURLToPath(import.meta.url)); ; ) {
    const path = join(directory, 'node_modules', '.bin', 'node');
    if (existsSync(path)) return path;
    const parent = dirname(directory);
    if (parent === directory) return undefined;
    directory = parent;
  }
}

/**
 * V8's flags for garbage collection, measured on two cores (bench/NOTES.md). A full collection takes 40 to 80 ms of another
 * thread, and orders wait for it. The flags lowered p99 at half the saturation rate from 15 to 12 ms.
 *
 * - The first full collection starts at a heap of 128 MB. Otherwise one starts every two to five seconds under load.
 * - V8 puts no new object into the old generation. There, short-lived arrays of parameters kept the texts of their orders
 *   until the next full collection.
 */
const flags = ['--max-semi-space-size=16', '--initial-heap-size=128', '--no-allocation-site-pretenuring'];
const file = fileURLToPath(import.meta.url);
const words = process.argv.slice(2);

/** Installs the packages and that Node, and builds the portal. */
const SETUP = `npm --prefix ${fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')} run setup`;

function refuseToStart() {
  console.error(`Bestow is not installed yet; run: ${SETUP}`);
  process.exitCode = 1;
}

/** Names the process that only forwards signals: without it, the service would go on as an orphan on its port. */
const STARTER = 'BESTOW_STARTER';

/** @param {string} node */
function runWith(node) {
  const env = { ...process.env, [STARTER]: String(process.pid) };
  const child = spawn(node, [...flags, file, ...words], { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => {
      // A terminal sends Ctrl-C and hang-ups to the child too, which must not get them twice.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    });
  // The child checks only its own parent, which is this process.
  if (words.includes('--ephemeral')) stopWithParent(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`${node} cannot be run (${error.message}); run: ${SETUP}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

if (isNewEnough) {
  // V8 reads its flags only at its start. `execve` keeps the process id, so that signals still reach the process.
  const missing = flags.filter((flag) => !process.execArgv.includes(flag));
  if (missing.length > 0)
    process.execve?.(
      process.execPath,
      [process.execPath, ...process.execArgv, ...missing, file, ...words],
      process.env,
    );
  const { [STARTER]: starter } = process.env;
  delete process.env[STARTER];
  if (starter !== undefined) stopWithParent(() => process.kill(process.pid, 'SIGTERM'), Number(starter));
  // The cache of compiled TypeScript saves 27 MB, because Node does not load its compiler, and 0.3 s at each start.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/bestow', import.meta.url)));
  await import('../src/main.ts').catch((error) => {
    // Only a package: a missing file of the service is a fault of its own.
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^Cannot find package /.test(error.message)) throw error;
    refuseToStart();
  });
} else {
  const node = findInstalledNode();
  if (node) runWith(node);
  else refuseToStart();
}
