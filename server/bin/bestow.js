#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopWithParent } from './stop-with-parent.js';

// The server is TypeScript that Node 26 runs as it stands; npm installs that Node, but only npm and npx put it first.
const NEEDED_MAJOR_VERSION = 26;

/** The nearest Node that npm installed above this file. */
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
 * How V8 collects garbage, all measured on two cores (bench/NOTES.md). Each collection of all there is takes 40 to 80 ms of
 * another thread, which orders wait for: with these p99 at half the saturation rate went from 15 to 12 ms.
 *
 * - Nothing is collected whole before the heap has 128 MB, instead of every two to five seconds under load.
 * - No new object is put among the old ones for how others of its place fared: an array of parameters that dies at once kept
 *   the texts of its orders until the next collection of all.
 */
const flags = ['--max-semi-space-size=16', '--initial-heap-size=128', '--no-allocation-site-pretenuring'];
const file = fileURLToPath(import.meta.url);
const words = process.argv.slice(2);

/** @param {string} node */
function runWith(node) {
  const child = spawn(node, [...flags, file, ...words], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => {
      // At a terminal Ctrl-C and hanging up reach the child by themselves, and twice would mean impatience.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    });
  // It looks at its own parent, which is this process.
  if (words.includes('--ephemeral')) stopWithParent(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`${node} cannot be run (${error.message}); run npm ci again.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR_VERSION) {
  // V8 takes them at its start only. This replaces the process, so that signals still reach it.
  const missing = flags.filter((flag) => !process.execArgv.includes(flag));
  if (missing.length > 0)
    process.execve?.(
      process.execPath,
      [process.execPath, ...process.execArgv, ...missing, file, ...words],
      process.env,
    );
  // Keeps what Node makes of the TypeScript: 27 MB less memory (its compiler is not loaded) and 0.3 s less at each start.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/bestow', import.meta.url)));
  await import('../src/main.ts');
} else {
  const node = findInstalledNode();
  if (node) runWith(node);
  else {
    console.error(`Bestow needs Node ${NEEDED_MAJOR_VERSION}; run npm ci in its checkout, which brings it.`);
    process.exitCode = 1;
  }
}
