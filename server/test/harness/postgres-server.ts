import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
  const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  await mkdir(directory, { recursive: true });
  if (identity.uid !== undefined) await chown(directory, UNPRIVILEGED, UNPRIVILEGED);
  const options = { cwd: directory, ...identity } as const;
  const data = join(directory, 'data');
  const cluster = ['-D', data, '-U', 'bestow', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'];
  await promisify(execFile)(join(programs, 'initdb'), cluster, options);
  const args = ['-D', data, '-k', directory, ...['fsync=off', ...settings].flatMap((setting) => ['-c', setting])];
  let server: ChildProcess | undefined;
  endWithTest(() => stopChild(server, 'SIGQUIT'));
  return {
    start() {
      const env = { ...process.env, ...variables };
      server = spawn(join(programs, 'postgres'), args, { ...options, env, stdio: 'ignore' });
    },
    async stop(signal = 'SIGINT') {
      await stopChild(server, signal);
    },
  };
}
