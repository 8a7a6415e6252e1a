import { execFile } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../../../server/test/harness/debian-programs.ts';
import { createPostgresServer, runAlone, UNPRIVILEGED } from '../../../server/test/harness/postgres-server.ts';
import { until } from '../../../server/test/harness/server-process.ts';

/** Debian's PostgreSQL with an archive of its write-ahead log. */
export interface ArchivedPostgres {
  /** `DATABASE_URL`. */
  url: string;
  sql<Row = Record<string, unknown>>(text: string): Promise<Row[]>;
  /** Copies the running cluster. */
  takeBaseBackup(): Promise<void>;
  /** Stops, and starts the base backup with the log up to this time. */
  recoverTo(time: Date): Promise<void>;
  close(): Promise<void>;
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const programs = dirname(programPath('pg_dump'));
  const directory = await mkdtemp(join(tmpdir(), 'bestow-restore-'));
  const [data, archive, backup] = ['data', 'archive', 'backup'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const settings = [
    'listen_addresses=',
    'max_connections=60',
    'archive_mode=on',
    `archive_command=cp %p ${archive}/%f`,
    `restore_command=cp ${archive}/%f %p`,
    'recovery_target_action=promote',
  ];
  const server = await createPostgresServer(programs, directory, settings);
  await mkdir(archive);
  if (identity.uid !== undefined) await chown(archive, identity.uid, identity.gid);
  const query = <Row = Record<string, unknown>>(database: string, text: string) =>
    runAlone<Row>({ host: directory, user: 'bestow', database }, text);
  const answers = (text: string, what: string) =>
    until(async () => (await query('postgres', text).catch(() => [])).length > 0, what);
  server.start();
  await answers('select 1', 'PostgreSQL answers');
  await query('postgres', 'create database bestow');
  return {
    url: `postgres://bestow@localhost/bestow?host=${encodeURIComponent(directory)}`,
    sql: (text) => query('bestow', text),
    async takeBaseBackup() {
      const args = ['--host', directory, '--username', 'bestow', '--pgdata', backup, '--checkpoint=fast'];
      await promisify(execFile)(join(programs, 'pg_basebackup'), args, identity);
    },
    async recoverTo(time) {
      const [switched] = await query<{ name: string }>('bestow', 'select pg_walfile_name(pg_switch_wal()) as name');
      await answers(
        `select 1 from pg_stat_archiver where last_archived_wal >= '${switched?.name}'`,
        'the write-ahead log is archived',
      );
      await server.stop();
      await rm(data, { recursive: true });
      await cp(backup, data, { recursive: true, preserveTimestamps: true });
      await writeFile(join(data, 'recovery.signal'), '');
      await writeFile(
        join(data, 'postgresql.auto.conf'),
        `recovery_target_time = '${time.toISOString().replace('Z', '+00')}'\n`,
      );
      if (identity.uid !== undefined) await promisify(execFile)('chown', ['-R', `${UNPRIVILEGED}`, data]);
      await promisify(execFile)('chmod', ['-R', 'u=rwX,go=', data]);
      server.start();
      await answers('select 1 where not pg_is_in_recovery()', 'the recovery has ended');
    },
    async close() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
