import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { goDriver, missingGo } from './go-command.ts';
import { runtimePrograms } from './install-runtimes.ts';
import { openPythons, pythonClient } from './python-environment.ts';

/** A client in a language or runtime. */
export interface Client {
  name: string;
  /** Starts its driver (sdk/faults/drivers); undefined if the machine cannot run it. */
  command: string[] | undefined;
  /** The runtime sends again on a lost connection by itself. */
  retriesItself?: true;
}

const driver = (name: string) => fileURLToPath(new URL(`../faults/drivers/${name}`, import.meta.url));
const { bun, deno } = await runtimePrograms();
const [python] = await openPythons(1);
const inPython = python && ['env', `PYTHONPATH=${pythonClient}/src`, python.file, driver('python.py')];

export const clients: readonly Client[] = [
  { name: 'TypeScript in Node', command: [process.execPath, driver('typescript.ts')] },
  { name: 'TypeScript in Bun', command: bun ? [bun, driver('typescript.ts')] : undefined },
  {
    name: 'TypeScript in Deno',
    command: deno ? [deno, 'run', '--allow-all', driver('typescript.ts')] : undefined,
    retriesItself: true,
  },
  { name: 'Python with asyncio', command: inPython },
  { name: 'Python with threads', command: inPython && [...inPython, '--sync'] },
  { name: 'Go', command: missingGo() ? undefined : ['go', 'run', '-C', goDriver, '.'] },
];

/** Makes all calls at once in one process of a client. @returns what it told, by the calls' ids */
export async function makeCalls<Told extends { id: string }>(
  [file = '', ...args]: string[],
  calls: readonly object[],
): Promise<Map<string, Told>> {
  const { BESTOW_KEY: _key, BESTOW_URL: _url, ...env } = process.env;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const ended = once(child, 'close');
  child.stdin.end(calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
  const told = new Map<string, Told>();
  for await (const line of createInterface({ input: child.stdout })) {
    const one = JSON.parse(line) as Told;
    told.set(one.id, one);
  }
  assert.deepEqual(await ended, [0, null], file);
  return told;
}
