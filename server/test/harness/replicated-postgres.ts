import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { programPath } from './debian-programs.ts';
import { endWithTest } from './end-with-test.ts';
import {
  createPostgresServer,
  identity,
  makeDirectory,
  type PostgresServer,
  runAlone,
  serverOn,
} from './postgres-server.ts';
import { until } from './server-process.ts';

type Name = 'leader' | 'standby';

/** Debian's PostgreSQL with an asynchronous standby, behind one address. */
export interface ReplicatedPostgres {
  /** Of the address; new connections reach the server to which it was moved last. */
  target: ConnectionTarget;
  /** Asks one of the servers directly, as a superuser. */
  query(name: Name, text: string): Promise<Record<string, unknown>[]>;
  /** Waits until the standby has all that was committed. */
  catchUp(): Promise<void>;
  /** The standby receives no more. */
  cut(): Promise<void>;
  /** As a crash does. */
  kill(name: Name): Promise<void>;
  /** Makes the standby a leader, which the address does not lead to yet. */
  promote(): Promise<void>;
  move(to: Name): Promise<void>;
  /** Stops the leader, and keeps its files. */
  copyLeader(): Promise<void>;
  /** Stops the leader, and starts the copy. */
  rewindLeader(): Promise<void>;
  close(): Promise<void>;
}

const SETTINGS = ['listen_addresses=', 'max_connections=80', 'wal_keep_size=256MB'];

const copy = (source: string, target: string) => promisify(execFile)('cp', ['-a', source, target]);

function askServers(directories: Record<Name, string>) {
  const query = (name: Name, text: string) =>
    runAlone({ host: directories[name], user: 'bestow', database: 'postgres' }, text);
  const answers = (name: Name, condition = 'true') =>
    until(
      async () => (await query(name, `select where ${condition}`).catch(() => [])).length > 0,
      `${name}: ${condition}`,
    );
  return { query, answers };
}

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const programs = dirname(programPath('pg_dump'));
  const root = await mkdtemp(join(tmpdir(), 'bestow-replicated-'));
  await makeDirectory(root);
  const address = join(root, 'address');
  const directories = { leader: join(root, 'leader'), standby: join(root, 'standby') };
  const dataOfLeader = join(directories.leader, 'data');
  const copied = join(root, 'copy');
  const { query, answers } = askServers(directories);
  const leader = await createPostgresServer(programs, directories.leader, SETTINGS);
  leader.start();
  await answers('leader');
  await makeDirectory(directories.standby);
  const from = ['--host', directories.leader, '--username', 'bestow', '--checkpoint=fast', '--write-recovery-conf'];
  const basebackup = [...from, '--pgdata', join(directories.standby, 'data')];
  await promisify(execFile)(join(programs, 'pg_basebackup'), basebackup, identity());
  const servers: Record<Name, PostgresServer> = { leader, standby: serverOn(programs, directories.standby, SETTINGS) };
  servers.standby.start();
  await answers('standby');

  const postgres: ReplicatedPostgres = {
    target: { host: address, port: 5432, user: 'bestow', database: 'postgres' },
    query,
    async catchUp() {
      const [row] = await query('leader', 'select pg_current_wal_flush_lsn() as at');
      await answers('standby', `pg_last_wal_replay_lsn() >= '${row?.['at']}'`);
    },
    async cut() {
      await query('standby', `alter system set primary_conninfo = ''`);
      await query('standby', 'select pg_reload_conf()');
      await answers('standby', 'not exists (select from pg_stat_wal_receiver)');
    },
    kill: (name) => servers[name].stop('SIGQUIT'),
    async promote() {
      await query('standby', 'select pg_promote()');
      await answers('standby', 'not pg_is_in_recovery()');
    },
    async move(to) {
      await symlink(directories[to], `${address}.next`);
      await rename(`${address}.next`, address);
    },
    async copyLeader() {
      await leader.stop();
      await copy(dataOfLeader, copied);
      leader.start();
      await answers('leader');
    },
    async rewindLeader() {
      await leader.stop('SIGQUIT');
      await rm(dataOfLeader, { recursive: true });
      await copy(copied, dataOfLeader);
      leader.start();
      await answers('leader');
    },
    close: endWithTest(async () => {
      await Promise.all(Object.values(servers).map((server) => server.stop('SIGQUIT')));
      await rm(root, { recursive: true, force: true });
    }),
  };
  await postgres.move('leader');
  return postgres;
}
