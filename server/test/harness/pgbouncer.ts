import { spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { programPath } from './debian-programs.ts';
import { endWithTest } from './end-with-test.ts';
import { UNPRIVILEGED } from './postgres-server.ts';
import { freePort, stopChild, until } from './server-process.ts';

/**
 * Starts Debian's PgBouncer before a database until the test ends.
 *
 * @param settings such as `pool_mode = session`
 * @returns its `DATABASE_URL`
 */
export async function startPgBouncer({ host, port, user, database }: ConnectionTarget, settings: string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-pgbouncer-'));
  const listenPort = await freePort();
  const configuration = join(directory, 'pgbouncer.ini');
  await writeFile(
    configuration,
    [
      '[databases]',
      `${database} = host=${host} port=${port} user=${user}`,
      '[pgbouncer]',
      'auth_type = any',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      `unix_socket_dir = ${directory}`,
      `logfile = ${join(directory, 'log')}`,
      'default_pool_size = 50',
      ...settings,
    ].join('\n'),
  );
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(directory, UNPRIVILEGED, UNPRIVILEGED);
  const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const child = spawn(programPath('pgbouncer'), ['--quiet', configuration], { stdio: 'ignore', ...identity });
  endWithTest(async () => {
    await stopChild(child, 'SIGTERM');
    await rm(directory, { recursive: true, force: true });
  });
  const url = `postgres://${user}@127.0.0.1:${listenPort}/${database}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    const client = new Client(url);
    client.on('error', () => undefined);
    return await client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  }, 'PgBouncer accepts connections');
  return url;
}
