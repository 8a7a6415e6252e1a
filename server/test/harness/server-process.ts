import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kill, killProcessesOn } from './end-processes.ts';
import { endWithTest } from './end-with-test.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const BESTOW = join(root, 'server/bin/bestow.js');

/** How a process ended, and its output. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The panel that a person sees when the service is ready. */
export interface Panel {
  address: string;
  /** Undefined if no organization was seeded. */
  sandboxKey: string | undefined;
  liveKey: string | undefined;
  /** The command to paste. */
  curl: string | undefined;
  text: string;
}

/** A process of this checkout, started as a person starts it. */
export interface RunningProcess {
  child: ChildProcess;
  ended: Promise<Ending>;
  /** Its output until now. */
  stdout(): string;
  /** Fails if the process ends before it is ready. */
  ready(): Promise<Panel>;
  /** Signals the process alone, or its whole group as a terminal does. */
  signal(name: NodeJS.Signals, to?: 'process' | 'group'): void;
}

/** A person's environment on a small machine: none of this process's settings, and no npm folder in the `PATH`. */
function environment(variables: Record<string, string>): Record<string, string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const HOME = process.env['HOME'] ?? '/';
  // The runner finds by it what a test leaves running.
  const TMPDIR = tmpdir();
  return { PATH: folders.join(delimiter), HOME, TMPDIR, PROCESSES: '1', ...variables };
}

/** The machine's Node, which may be older than the one in node_modules. */
export const MACHINES_NODE = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);

/** Signals a child process and waits for its end, unless it has ended. */
export async function stopChild(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Only ends a wait for ever: nothing that works takes so long, also on a busy machine. */
export const HUNG_AFTER_MS = 120_000;

/** Waits until the condition is true; checks every 10 ms. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + HUNG_AFTER_MS;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineMs, `It hung for ${HUNG_AFTER_MS / 1000} seconds before: ${what}`);
    await sleep(10);
  }
}

/** Waits for a result that comes while the test still holds what it must not wait for. */
export async function unlessHung<Result>(result: Promise<Result>, what: string): Promise<Result> {
  const { promise: never, reject } = Promise.withResolvers<never>();
  const hung = () => reject(new Error(`It hung for ${HUNG_AFTER_MS / 1000} seconds before: ${what}`));
  const timer = setTimeout(hung, HUNG_AFTER_MS);
  return await Promise.race([result, never]).finally(() => clearTimeout(timer));
}

/** Starts a process, which ends with the test. */
export function run(command: string, args: string[], variables: Record<string, string>): RunningProcess {
  const child = spawn(command, args, { cwd: root, env: environment(variables), stdio: 'pipe', detached: true });
  endWithTest(() => {
    if (child.pid !== undefined) kill(-child.pid);
  });
  child.stdin.end();
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal, ...printed }));
  });
  return {
    child,
    ended,
    stdout: () => printed.stdout,
    async ready() {
      await until(() => {
        assert.ok(child.exitCode === null && child.signalCode === null, `It ended: ${JSON.stringify(printed)}`);
        return printed.stdout.includes('Stop it with Ctrl-C.\n');
      }, 'ready');
      return readPanel(printed.stdout);
    },
    signal(name, to = 'process') {
      assert.ok(child.pid);
      process.kill(to === 'group' ? -child.pid : child.pid, name);
    },
  };
}

/** Runs `bestow …` with the Node that npm installed. */
export const bestow = (args: string[], variables: Record<string, string>) =>
  run(process.execPath, [BESTOW, ...args], variables);

/** Runs `bestow serve` on a free port. */
export const serve = (dataDir: string, variables: Record<string, string> = {}) =>
  bestow(['serve'], { DATA_DIR: dataDir, PORT: '0', ...variables });

/** Runs `bestow serve` with standard output on a full disk. */
export const serveOnFullDisk = (dataDir: string, port: number) =>
  run('sh', ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, BESTOW, 'serve'], {
    DATA_DIR: dataDir,
    PORT: String(port),
  });

/** Adds live funds to the demo organization. */
export async function fundLive(dataDir: string): Promise<void> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await bestow([...args, '--json'], { DATA_DIR: dataDir }).ended;
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const [{ organization_id: id }] = await run('org', 'list');
  const amount = ['--environment', 'live', '--amount', '1000000', '--reference', 'test'];
  await run('balance', 'add', '--org', id, ...amount);
}

/** Runs `npm start` on a free port. */
export const npmStart = (dataDir: string) => run('npm', ['start'], { DATA_DIR: dataDir, PORT: '0' });

const keyIn = (path: string | undefined) => path && readFileSync(path, 'utf8').trim();

function readPanel(text: string): Panel {
  const row = (label: string) => new RegExp(`^ {4}${label} +(\\S.*)$`, 'm').exec(text)?.[1];
  return {
    address: row('API')?.replace(/\/v1$/, '') ?? assert.fail(text),
    sandboxKey: keyIn(row('Sandbox key, in the file')),
    liveKey: keyIn(row('Live key, in the file')),
    curl: /^export KEY=.*?(?=\n\n)/ms.exec(text)?.[0],
    text,
  };
}

/** The processes of Bestow that this one started. */
export function childrenOf({ child }: RunningProcess): number[] {
  const text = (pid: string, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const parentOf = (pid: string) => Number(text(pid, 'stat').replace(/^.*\)/s, '').trim().split(' ')[1]);
  return readdirSync('/proc')
    .filter((pid) => {
      try {
        return /^\d+$/.test(pid) && parentOf(pid) === child.pid && text(pid, 'cmdline').includes(BESTOW);
      } catch {
        // The process ended.
        return false;
      }
    })
    .map(Number);
}

/** Makes a directory; after the test, kills every process on it and removes it. */
export async function temporaryDirectory(t: { after(act: () => Promise<void>): void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-start-'));
  t.after(async () => {
    await killProcessesOn(directory);
    await rm(directory, { recursive: true, force: true });
  });
  return directory;
}

/** Finds a free port. Another process could take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : assert.fail();
}
