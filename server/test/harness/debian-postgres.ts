import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programPath } from './debian-programs.ts';
import { until } from './server-process.ts';

/** PostgreSQL does not run as root; this user owns nothing. */
const UNPRIVILEGED = 65_534;

/** Debian's PostgreSQL, older than the embedded one, with an operator's programs. */
export interface DebianPostgres {
  /** `DATABASE_URL` of one of its databases. */
  url(database: string): string;
  /** Runs `pg_dump`, `pg_restore` or `createdb`; returns its standard error. */
  run(program: string, args: string[]): Promise<string>;
  close(): Promise<void>;
}

export async function startDebianPostgres(): Promise<DebianPostgres> {
  const programs = dirname(programPath('pg_dump'));
  const directory = await mkdtemp(join(tmpdir(), 'bestow-debian-'));
  const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if (identity.uid !== undefined) await chown(directory, UNPRIVILEGED, UNPRIVILEGED);
  const data = join(directory, 'data');
  const options = { cwd: directory, ...identity } as const;
  const { status, stderr } = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'bestow', '-A', 'trust', '-E', 'UTF8'],
    {
      ...options,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  const settings = ['-c', 'listen_addresses=', '-k', directory, '-c', 'fsync=off', '-c', 'max_connections=60'];
  const server: ChildProcess = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...options,
    stdio: 'ignore',
  });
  const connection = ['--host', directory, '--username', 'bestow'];
  const postgres: DebianPostgres = {
    url: (database) => `postgres://bestow@localhost/${database}?host=${encodeURIComponent(directory)}`,
    async run(program, args) {
      const child = spawn(join(programs, program), [...connection, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      let printed = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      const [code] = await once(child, 'close');
      return code === 0 ? printed : `${program} ended with ${code}: ${printed}`;
    },
    async close() {
      if (server.exitCode === null) {
        const ended = once(server, 'exit');
        server.kill('SIGINT');
        await ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
  await until(async () => (await postgres.run('createdb', ['bestow'])) === '', 'Debian’s PostgreSQL answers');
  return postgres;
}
