import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { OperatorError } from '../../src/platform/base/operator-error.ts';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { isPostgresAlive } from '../../src/platform/embedded-postgres/lock-file.ts';
import { type OpenDatabase, openDatabase } from '../../src/platform/installation/open-database.ts';
import { until } from './server-process.ts';

const OPEN_MODULE = fileURLToPath(new URL('../../src/platform/installation/open-database.ts', import.meta.url));

const HOLD = `
  const [module, role, dataDir] = process.argv.slice(1);
  const { openDatabase } = await import(module);
  try {
    const database = await openDatabase({ databaseUrls: [], dataDir }, role);
    console.log('open: ' + database.description);
    process.stdin.on('end', () => database.close().then(() => process.exit(0))).resume();
  } catch (error) {
    console.log('refused: ' + error.message);
    process.exit(1);
  }`;

type Role = 'server' | 'command';

/** Arguments for Node that open the database until standard input ends. */
export const holderArguments = (role: Role, directory: string, module = OPEN_MODULE): string[] => [
  '--input-type=module',
  '--eval',
  HOLD,
  pathToFileURL(module).href,
  role,
  directory,
];

interface HoldOptions {
  directory?: string;
  node?: string;
  module?: string;
  user?: { uid?: number; gid?: number };
}

interface Holder {
  child: ChildProcessByStdio<Writable, Readable, null>;
  exited: Promise<unknown>;
  close(): Promise<void>;
  /** Its first line of output. */
  line: string;
}

/** A new directory for each test. */
export interface EmbeddedDirectory {
  readonly base: string;
  /** In `base`; does not exist at first. */
  readonly dataDir: string;
  open(role: Role, directory?: string, log?: (message: string) => void): Promise<OpenDatabase>;
  /** Starts another process that opens the database and closes it when its standard input ends. */
  hold(role: Role, options?: HoldOptions): Promise<Holder>;
  /** The process id in PostgreSQL's lock file; 0 if there is no lock file. */
  postgresPid(directory?: string): Promise<number>;
}

/** Call it once in a test file. After each test it ends all processes and removes the directory. */
export function directoryForEachTest(): EmbeddedDirectory {
  let base: string;
  let dataDir: string;
  const children: Holder['child'][] = [];

  const postgresPid = async (directory = dataDir) =>
    Number.parseInt(await readFile(join(directory, 'postgres/postmaster.pid'), 'utf8').catch(() => '0'), 10);

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'bestow-embedded-'));
    dataDir = join(base, 'data');
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    const pid = await postgresPid();
    if (isPostgresAlive(pid)) {
      process.kill(pid, 'SIGQUIT');
      await until(() => !isPostgresAlive(pid), 'PostgreSQL ends');
    }
    await rm(base, { recursive: true, force: true });
  });

  return {
    get base() {
      return base;
    },
    get dataDir() {
      return dataDir;
    },
    postgresPid,
    open: (role, directory = dataDir, log = undefined) =>
      openDatabase({ databaseUrls: [], dataDir: directory }, role, log),
    async hold(role, options = {}) {
      const { directory = dataDir, node = process.execPath, module, user = {} } = options;
      const child = spawn(node, holderArguments(role, directory, module), {
        stdio: ['pipe', 'pipe', 'inherit'],
        cwd: '/',
        detached: true,
        ...user,
      });
      children.push(child);
      const exited = once(child, 'exit');
      const [line] = (await Promise.race([once(child.stdout, 'data'), exited.then(() => ['nothing'])])) as unknown[];
      const close = async () => {
        child.stdin.end();
        await exited;
      };
      return { child, exited, close, line: String(line).trim() };
    },
  };
}

/** All values of all rows, in order. */
export async function query(target: ConnectionTarget | undefined, text: string): Promise<unknown[]> {
  const client = new Client(target);
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** Checks for one plain sentence without a stack trace. */
export async function assertRefused(attempt: Promise<unknown>, pattern: RegExp): Promise<void> {
  await assert.rejects(attempt, (error: unknown) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.match(error.message, pattern);
    assert.match(error.message, /^[^\n]+\.$/);
    return true;
  });
}
