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
 * The server at rest takes 134 MB so, and 149 MB with V8's own choice of 16, with no difference in speed that could be
 * measured.
 */
const flag = '--max-semi-space-size=8';
const file = fileURLToPath(import.meta.url);
const words = process.argv.slice(2);

/** @param {string} node */
function runWith(node) {
  const child = spawn(node, [flag, file, ...words], { stdio: 'inherit' });
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
  // V8 takes the flag at its start only. This replaces the process, so that signals still reach it.
  if (!process.execArgv.includes(flag)) {
    const flags = [...process.execArgv, flag];
    process.execve?.(process.execPath, [process.execPath, ...flags, file, ...words], process.env);
  }
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
