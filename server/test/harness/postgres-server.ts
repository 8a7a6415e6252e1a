import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { endWithTest } from './end-with-test.ts';
import { stopChild } from './server-process.ts';

/** PostgreSQL does not run as root; this user owns nothing. */
export const UNPRIVILEGED = 65_534;

/** A PostgreSQL server that a test can stop and start again. */
export interface PostgresServer {
  /** Returns before it accepts connections. */
  start(): void;
  /** SIGINT ends its sessions in order; after SIGQUIT, which is a crash, the next start recovers. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

/** Runs SQL in a session of its own, which a crash of the server may end. */
export async function runAlone<Row = Record<string, unknown>>(target: ConnectionTarget, text: string): Promise<Row[]> {
  const client = new Client(target);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Who runs PostgreSQL in tests. */
export const identity = () => (process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {});

/**
 * Makes a cluster with the user `bestow` and no passwords.
 *
 * @param programs with `initdb` and `postgres`
 * @param directory for the data; given to an unprivileged user if this is root
 * @param settings such as `port=5433`
 * @param variables for the environment of the server
 */
export async function createPostgresServer(
  programs: string,
  directory: string,
  settings: string[],
  variables: Record<string, string> = {},
): Promise<PostgresServer> {
  await makeDirectory(directory);
  const cluster = ['-D', join(directory, 'data'), '-U', 'bestow', '-A', 'trust', '-E', 'UTF8'];
  const options = { cwd: directory, ...identity() };
  await promisify(execFile)(join(programs, 'initdb'), [...cluster, '--no-sync', '--locale=C.UTF-8'], options);
  return serverOn(programs, directory, settings, variables);
}

/** Makes a directory that PostgreSQL may write. */
export async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const { uid } = identity();
  if (uid !== undefined) await chown(directory, uid, uid);
}

/** A server on the cluster in the directory's `data`. */
export function serverOn(
  programs: string,
  directory: string,
  settings: string[],
  variables: Record<string, string> = {},
): PostgresServer {
  const data = join(directory, 'data');
  const args = ['-D', data, '-k', directory, ...['fsync=off', ...settings].flatMap((setting) => ['-c', setting])];
  let server: ChildProcess | undefined;
  endWithTest(() => stopChild(server, 'SIGQUIT'));
  return {
    start() {
      const env = { ...process.env, ...variables };
      server = spawn(join(programs, 'postgres'), args, { cwd: directory, ...identity(), env, stdio: 'ignore' });
    },
    async stop(signal = 'SIGINT') {
      await stopChild(server, signal);
    },
  };
}
