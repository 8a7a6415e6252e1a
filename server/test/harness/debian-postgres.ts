import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { programPath } from './debian-programs.ts';
import { endWithTest } from './end-with-test.ts';
import { createPostgresServer, runAlone } from './postgres-server.ts';
import { until } from './server-process.ts';

/** Debian's PostgreSQL, older than the embedded one, with an operator's programs. */
export interface DebianPostgres {
  /** `DATABASE_URL` of one of its databases. */
  url(database: string): string;
  target(database: string): ConnectionTarget;
  /** Runs SQL on the database `bestow`, as a superuser. */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Runs `pg_dump`, `pg_restore` or `createdb`; returns its standard error. */
  run(program: string, args: string[]): Promise<string>;
  /** Starts it again as a standby, whose primary is gone. */
  becomeStandby(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param variables for the environment of the server
 * @param more settings, such as `fsync=on`, which is off
 */
export async function startDebianPostgres(
  variables: Record<string, string> = {},
  more: readonly string[] = [],
): Promise<DebianPostgres> {
  const programs = dirname(programPath('pg_dump'));
  const directory = await mkdtemp(join(tmpdir(), 'bestow-debian-'));
  const settings = ['listen_addresses=', 'max_connections=60', ...more];
  const server = await createPostgresServer(programs, directory, settings, variables);
  server.start();
  const connection = ['--host', directory, '--username', 'bestow'];
  const postgres: DebianPostgres = {
    target: (database) => ({ host: directory, port: 5432, user: 'bestow', database }),
    url: (database) => `postgres://bestow@localhost/${database}?host=${encodeURIComponent(directory)}`,
    query: (text) => runAlone(postgres.target('bestow'), text),
    async run(program, args) {
      const child = spawn(join(programs, program), [...connection, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      let printed = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      const [code] = await once(child, 'close');
      return code === 0 ? printed : `${program} ended with ${code}: ${printed}`;
    },
    async becomeStandby() {
      await server.stop();
      await writeFile(join(directory, 'data', 'standby.signal'), '');
      server.start();
    },
    close: endWithTest(async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    }),
  };
  await until(async () => (await postgres.run('createdb', ['bestow'])) === '', 'Debian’s PostgreSQL answers');
  return postgres;
}
